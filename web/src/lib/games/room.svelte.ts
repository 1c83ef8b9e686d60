// A game as this tab knows it: the server's view plus the events since, the move on its way, the position looked at.
// No rule of chess is here: positions, legal moves, clocks and ends all come from the server.
import type { ClientMsg, Clocks, GameView, ServerMsg, ServerMsgOf } from '$lib/api/types';
import type { Listener, Live } from '$lib/live/live.svelte';

/** A move that was made here and not yet confirmed by the server. */
export interface PendingMove {
  /** The game's ply when the move was made. */
  ply: number;
  /** UCI, or whatever was typed: the server also reads SAN. */
  uci: string;
}

/** A position to draw. */
export interface Shown {
  fen: string;
  /** From where to where the last move went. */
  last: [string, string] | null;
  check: string | null;
}

/** What a player can ask of a game besides a move. */
export type Request = Exclude<Extract<ClientMsg, { game: string }>['t'], 'move'>;

type Line = Pick<Live, 'send' | 'catchUp'>;

export class GameRoom implements Listener {
  /** The game, or null until the first state has arrived. */
  view = $state.raw<GameView | null>(null);
  /** `performance.now()` when `view.clocks` arrived. */
  receivedAt = $state(0);
  /** My move that is on its way. */
  pending = $state.raw<PendingMove | null>(null);
  /** How often a move was refused: the board is drawn anew whenever this changes. */
  refusals = $state(0);

  /** How many moves are played in the position looked at; null follows the game. */
  #looking = $state<number | null>(null);
  /** The version a gap was noticed at; asked once, until the answer moves it. */
  #askedFrom: number | null = null;

  constructor(
    readonly id: string,
    private readonly line: Line,
    private readonly refused: (reason: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get room(): string {
    return `game:${this.id}`;
  }

  get version(): number | null {
    return this.view?.version ?? null;
  }

  /** Whether the board shows the game as it stands. */
  get isLive(): boolean {
    return this.#looking === null;
  }

  /** How many moves are played in the position shown. */
  get shownMoves(): number {
    return this.#looking ?? this.view?.moves.length ?? 0;
  }

  /** The position to draw. */
  shown = $derived.by((): Shown | null => {
    const view = this.view;
    if (view === null) return null;
    const move = view.moves[this.shownMoves - 1];
    if (move === undefined) return { fen: view.start_fen, last: null, check: null };
    return { fen: move.fen, last: [move.uci.slice(0, 2), move.uci.slice(2, 4)], check: move.check };
  });

  /** Whether I may move now, on the position shown. */
  mayMove = $derived.by((): boolean => {
    const view = this.view;
    return view !== null && view.you !== null && view.to_act === view.you && this.pending === null && this.isLive;
  });

  /** Looks at the position after so many moves; the game goes on meanwhile. */
  look(moves: number): void {
    const all = this.view?.moves.length ?? 0;
    const wanted = Math.max(0, moves);
    this.#looking = wanted >= all ? null : wanted;
  }

  /** Makes a move. It is shown as pending until the server has stored it. */
  move(uci: string): void {
    const view = this.view;
    if (view === null || this.pending !== null) return;
    this.pending = { ply: view.ply, uci };
    this.#sendPending();
  }

  /** Asks something of the game; tells whether the line was open. */
  ask(request: Request): boolean {
    return this.line.send({ t: request, game: this.id });
  }

  /** The tail has just been asked for; the move may be sent twice, the server counts it once. */
  rejoined(): void {
    this.#askedFrom = null;
    this.#sendPending();
  }

  receive(message: ServerMsg): void {
    switch (message.t) {
      case 'state':
        if (message.state.kind === 'game') this.#replace(message.state);
        break;
      case 'played':
      case 'changed':
      case 'skipped':
        if (this.#isNext(message.version)) this.#apply(message);
        break;
      case 'around':
        if (this.view !== null) this.view = { ...this.view, around: message.around };
        break;
      case 'rejected':
        this.#reject(message);
        break;
    }
  }

  #replace(state: GameView): void {
    this.view = state;
    this.receivedAt = this.now();
    this.#askedFrom = null;
    if (this.#looking !== null) this.look(this.#looking);
    this.#settle();
  }

  /** Every event is the last version plus one. What is older is known; what is newer shows a gap, which is asked for. */
  #isNext(version: number): boolean {
    const known = this.version;
    if (known === null || version <= known) return false;
    if (version === known + 1) return true;
    if (this.#askedFrom !== known) {
      this.#askedFrom = known;
      this.line.catchUp(this.room, known);
    }
    return false;
  }

  #apply(message: ServerMsgOf<'played' | 'changed' | 'skipped'>): void {
    if (this.view === null) return;
    switch (message.t) {
      case 'played':
        this.view = afterMove(this.view, message);
        this.#tick();
        this.#settle();
        break;
      case 'changed':
        this.view = afterChange(this.view, message);
        // What this page does not understand it asks to be shown whole.
        if (message.change.kind === 'other') this.line.catchUp(this.room, null);
        this.#tick();
        this.#settle();
        break;
      case 'skipped':
        this.view = { ...this.view, version: message.version };
        break;
    }
  }

  #tick(): void {
    this.receivedAt = this.now();
  }

  /** A move that was for another ply than the game's, or for a finished game, is not waited for any longer. */
  #settle(): void {
    const { view, pending } = this;
    if (view === null || pending === null) return;
    if (pending.ply !== view.ply || view.outcome !== null) this.pending = null;
  }

  /** An answer to a move that is settled already (sent twice, say) is nobody's business any more. */
  #reject(message: ServerMsgOf<'rejected'>): void {
    if (message.ply !== null) {
      if (this.pending?.ply !== message.ply) return;
      this.pending = null;
      this.refusals += 1;
    }
    this.refused(message.reason);
  }

  #sendPending(): void {
    if (this.pending !== null) this.line.send({ t: 'move', game: this.id, ...this.pending });
  }
}

function afterMove(view: GameView, played: ServerMsgOf<'played'>): GameView {
  const { version, ply, uci, san, fen, check, dests, to_act, clocks, can_abort } = played;
  const mover = view.to_act;
  return {
    ...view,
    ...{ version, ply, fen, check, dests, to_act, clocks, can_abort },
    moves: [...view.moves, { ply, uci, san, fen, check, left_ms: mover === null ? null : leftOf(clocks, mover) }],
    // Who answers an offer with a move has declined it.
    draw_offer: view.draw_offer === mover ? view.draw_offer : null,
  };
}

function afterChange(view: GameView, changed: ServerMsgOf<'changed'>): GameView {
  const { version, change, clocks } = changed;
  const next = { ...view, version, clocks };
  switch (change.kind) {
    case 'draw_offered':
      return { ...next, draw_offer: change.by };
    case 'draw_declined':
      return { ...next, draw_offer: null };
    case 'ended':
      return { ...next, outcome: change.outcome, to_act: null, dests: '', draw_offer: null, can_abort: false };
    case 'paused':
      return { ...next, paused: true };
    case 'resumed':
      return { ...next, paused: false };
    case 'other':
      return next;
  }
}

function leftOf(clocks: Clocks, color: 'white' | 'black'): number | null {
  return color === 'white' ? clocks.white_ms : clocks.black_ms;
}
