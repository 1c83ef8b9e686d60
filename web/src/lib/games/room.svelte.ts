// A game as this tab knows it: the server's view plus the events since, the move on its way, the position looked at.
// No rule of chess is here: positions, legal moves, clocks and ends all come from the server.
import type { ChatRoom, ClientMsg, GameView, ServerMsg, ServerMsgOf } from '$lib/api/types';
import { parseDests } from '$lib/board/dests';
import { roleAt } from '$lib/board/placement';
import { isPlacing } from '$lib/defender/shelf';
import type { Listener, Live } from '$lib/live/live.svelte';
import { afterChange, afterLine, afterMove } from './changes';

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
  /** From where to where the last move went; one square alone for a piece that was placed or promoted. */
  last: string[] | null;
  check: string | null;
}

/** A move that shall be played as soon as it is my turn, if it is legal then. */
export interface Premove {
  from: string;
  to: string;
}

/** What a player can ask of a game besides a move, by its name alone. */
export type Request = Exclude<Extract<ClientMsg, { game: string }>['t'], 'move' | 'chat' | 'claim_abandonment'>;

type Line = Pick<Live, 'send' | 'catchUp'>;

export class GameRoom implements Listener {
  /** The game, or null until the first state has arrived. */
  view = $state.raw<GameView | null>(null);
  /** `performance.now()` when `view.clocks` arrived. */
  receivedAt = $state(0);
  /** `performance.now()` when `view.around` arrived. */
  aroundAt = $state(0);
  /** `performance.now()` when a move froze the game without a clock that tells how long; null after the next one. */
  frozenAt = $state<number | null>(null);
  /** My move that is on its way. */
  pending = $state.raw<PendingMove | null>(null);
  /** What I shall answer with, whatever comes. */
  premove = $state.raw<Premove | null>(null);
  /** How far the report of the game has got, as the server last said. */
  report = $state.raw<ServerMsgOf<'report_progress'> | null>(null);
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

  readonly isAwaiting = true;

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
    return { fen: move.fen, last: lastSquares(move.uci), check: move.check };
  });

  /** Whether I may move now, on the position shown. */
  mayMove = $derived.by((): boolean => {
    const view = this.view;
    return view !== null && view.you !== null && view.to_act === view.you && this.pending === null && this.isLive;
  });

  /** Whether a move can be laid down now for later. */
  mayPremove = $derived.by((): boolean => {
    const view = this.view;
    return (
      view !== null && view.you !== null && view.outcome === null && !this.mayMove && this.isLive && hasPremoves(view)
    );
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

  /** Claims the draw that a move would make, without making it; tells whether the line was open. */
  claimDraw(uci: string): boolean {
    return this.line.send({ t: 'claim_draw', game: this.id, uci });
  }

  /** Claims the game, or half of it, from somebody who has left; tells whether the line was open. */
  claim(claim: 'win' | 'draw'): boolean {
    return this.line.send({ t: 'claim_abandonment', game: this.id, claim });
  }

  /** Says something; tells whether the line was open. */
  say(room: ChatRoom, text: string): boolean {
    return this.line.send({ t: 'chat', game: this.id, room, text });
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
        this.aroundAt = this.now();
        break;
      case 'chat':
        if (this.view !== null) this.view = afterLine(this.view, message.line);
        break;
      case 'rated':
        if (this.view !== null) this.view = { ...this.view, ratings: { white: message.white, black: message.black } };
        break;
      case 'report_progress':
        this.report = message;
        break;
      case 'rejected':
        this.#reject(message);
        break;
    }
  }

  #replace(state: GameView): void {
    this.view = state;
    this.receivedAt = this.now();
    this.aroundAt = this.now();
    this.#askedFrom = null;
    if (this.#looking !== null) this.look(this.#looking);
    this.#settle();
    // Whoever told the whole state may have lost what was on its way to them.
    this.#sendPending();
    this.#playPremove();
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
        this.frozenAt = message.freezes && message.clocks.frozen_ms === null ? this.now() : null;
        this.#tick();
        this.#settle();
        this.#playPremove();
        break;
      case 'changed':
        this.view = afterChange(this.view, message);
        // What this page does not understand it asks to be shown whole.
        if (message.change.kind === 'other') this.line.catchUp(this.room, null);
        // A premove was meant for another position.
        if (message.change.kind === 'taken_back' || message.change.kind === 'ended') this.premove = null;
        if (this.#looking !== null) this.look(this.#looking);
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

  /** It is my turn: what I laid down is played if it is legal, and forgotten if it is not. */
  #playPremove(): void {
    const { view, premove } = this;
    if (view === null || premove === null || view.to_act !== view.you || this.pending !== null) return;
    this.premove = null;
    const uci = premoveIn(view, premove);
    if (uci !== null) this.move(uci);
  }

  /** An answer to a move that is settled already (sent twice, say) is nobody's business any more. */
  #reject(message: ServerMsgOf<'rejected'>): void {
    if (message.ply !== null) {
      if (this.pending?.ply !== message.ply) return;
      this.pending = null;
      this.premove = null;
      this.refusals += 1;
    }
    this.refused(message.reason);
  }

  #sendPending(): void {
    if (this.pending !== null) this.line.send({ t: 'move', game: this.id, ...this.pending });
  }
}

/** The squares an action touched, as far as they are on the board. */
function lastSquares(uci: string): string[] | null {
  const squares = uci.match(/[a-h][1-8]/g);
  return squares === null ? null : squares.slice(0, 2);
}

/**
 * Whether a move can be laid down for later: not while pieces are placed, not where chance has a part, and not at one
 * computer, where it is always somebody's turn who sits there.
 */
function hasPremoves(view: GameView): boolean {
  return view.variant !== 'gmo' && !isPlacing(view) && !view.one_computer;
}

/** The move a premove becomes, or null if it is not legal now. A pawn that arrives becomes a queen. */
export function premoveIn(view: Pick<GameView, 'fen' | 'dests'>, { from, to }: Premove): string | null {
  const isLegal = parseDests(view.dests).get(from)?.includes(to) ?? false;
  if (!isLegal) return null;
  const isPawn = roleAt(view.fen, from) === 'pawn';
  return from + to + (isPawn && /[18]$/.test(to) ? 'q' : '');
}
