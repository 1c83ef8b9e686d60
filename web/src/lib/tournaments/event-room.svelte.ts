// An event as this tab knows it: loaded once, then kept up to date by the event's room on the socket.
import { createContext } from 'svelte';
import { ApiError } from '$lib/api/client';
import { getEvent, getRound, getStandings } from '$lib/api/events';
import type { EventLine, EventLive, EventView, OpenBoard, RoundView, ServerMsg, StandingsView } from '$lib/api/types';
import { backoff } from '$lib/live/backoff';
import type { Listener } from '$lib/live/live.svelte';

/** Lines of chat that are kept on the screen. */
const KEPT_LINES = 200;
/** The longest wait before a large event is asked for anew: what matters at once is told. */
const SPREAD_MS = 10_000;

export class EventRoom implements Listener {
  /** The event with its players, or null until it has come. */
  event = $state.raw<EventView | null>(null);
  /** The standings with the cross table. */
  standings = $state.raw<StandingsView | null>(null);
  /** The rounds that were looked at, by number. */
  rounds = $state.raw<Record<number, RoundView>>({});
  /** Arena: the boards at which games run, of all waves. */
  openBoards = $state.raw<OpenBoard[]>([]);
  /** What was said. */
  chat = $state.raw<EventLine[]>([]);
  /** There is no such event, or not for me. */
  isMissing = $state(false);
  /** The room always tells its whole state. */
  readonly version = null;

  #entries = '';
  #loading: Promise<void> | null = null;
  #asked = 0;
  /** The round that is on the screen. */
  #shown: number | null = null;
  #failures = 0;
  #again: ReturnType<typeof setTimeout> | null = null;

  constructor(readonly id: string) {}

  /** Asks for everything anew. What is on its way already may be older than the reason for asking. */
  async load(): Promise<void> {
    const before = this.#loading;
    const number = ++this.#asked;
    const mine = (async (): Promise<void> => {
      await before;
      // Whoever asked later asks for all.
      if (this.#asked === number) await this.#ask();
    })();
    this.#loading = mine;
    await mine;
    if (this.#loading !== mine) await this.#loading;
  }

  async #ask(): Promise<void> {
    try {
      const [event, standings] = await Promise.all([getEvent(this.id), getStandings(this.id)]);
      this.event = event;
      this.standings = standings;
      // Only what is on the screen, and the last one: other rounds are asked for when somebody looks at them.
      const wanted = [this.#shown, event.rounds.at(-1)?.number].filter(
        (number, i, all) => event.rounds.some((round) => round.number === number) && all.indexOf(number) === i,
      );
      const rounds = await Promise.all(wanted.map((number) => getRound(this.id, number ?? 0)));
      this.rounds = Object.fromEntries(rounds.map((round) => [round.number, round]));
      this.#failures = 0;
    } catch (error) {
      // Too many at once, or no line, is no answer about the event.
      this.isMissing = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (!this.isMissing) this.#later();
    }
  }

  /** Tries again after a while, longer each time: a page that missed something must not stay behind. */
  #later(): void {
    this.#after(backoff(this.#failures++, Math.random()));
  }

  #after(ms: number): void {
    if (this.#again !== null) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      void this.load();
    }, ms);
  }

  /** Nobody looks any longer. */
  close(): void {
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
  }

  /** Shows a round, asking for it if it is not known. */
  async show(round: number): Promise<void> {
    this.#shown = round;
    // One that was taken back is not there to be asked for.
    const exists = this.event?.rounds.some(({ number }) => number === round) ?? false;
    if (exists && this.rounds[round] === undefined) await this.#renew(round);
  }

  async #renew(round: number): Promise<void> {
    try {
      const found = await getRound(this.id, round);
      this.rounds = { ...this.rounds, [round]: found };
    } catch {
      this.#later();
    }
  }

  /** Takes over what an action gave, and asks for what follows from it. */
  async took(event: EventView): Promise<void> {
    this.event = event;
    await this.load();
  }

  receive(message: ServerMsg): void {
    if (message.t === 'event_chat') this.chat = [...this.chat, message.line].slice(-KEPT_LINES);
    if (message.t === 'gone') void this.#gone();
    if (message.t !== 'state' || message.state.kind !== 'event') return;
    this.#live(message.state, message.version);
  }

  /** It was deleted while somebody looked at it, or is no longer theirs to see: asking tells. */
  async #gone(): Promise<void> {
    this.event = null;
    await this.load();
  }

  #live(live: EventLive, version: number): void {
    this.chat = live.chat;
    this.openBoards = live.open;
    const { event } = this;
    if (event === null || version <= event.version) return;
    const isArena = event.regulations.system === 'arena';
    const known = event.rounds.at(-1)?.number ?? 0;
    const round = live.round?.number ?? 0;
    // Results alone are told in full; whatever else has changed is worth asking for everything. An arena has a new
    // round every few seconds: what is told of it is enough, unless some were missed.
    const news = isArena ? round > known + 1 : round !== known;
    const entries = `${live.state} ${live.players} ${live.playing} ${live.is_stuck}`;
    // Where all rounds run at once, the last one is not the only one in which something happens.
    const isSame = !event.regulations.at_once && !news && entries === (this.#entries || this.#mine(event));
    const isSettled = live.facts === event.facts;
    this.#entries = entries;
    if (live.round !== null) this.#keep(live.round, isArena);
    if (!isSame || !isSettled) {
      // A round of a large event begins for all who watch in the same moment, people come and go in an arena all the
      // time: they do not ask all at once, and meanwhile see what was told. Whoever runs it sees it now.
      if (event.rights.results && !isArena) void this.load();
      else {
        if (!isArena) this.#take(event, live);
        this.#after(Math.random() * Math.min(SPREAD_MS, 10 * event.players.length));
      }
      return;
    }
    const { next_at, ends_at, timer, now } = live;
    const rounds = isArena ? this.#waves(event, live) : this.#counted(event, live.round);
    const mine = isArena ? this.#games(event) : this.#table(event, live.round);
    this.event = { ...event, version, next_at, ends_at, timer, now, rounds, ...mine };
    this.#rank(live);
    // Who advances is in the bracket, which is not told.
    if (event.regulations.system === 'knockout') void this.#renewStandings();
  }

  async #renewStandings(): Promise<void> {
    try {
      this.standings = await getStandings(this.id);
    } catch {
      this.#later();
    }
  }

  /** What is told of an event suffices to see its new round, and one's own game in it, until the rest is asked for. */
  #take(event: EventView, live: EventLive): void {
    const { next_at, ends_at, timer, now, state, round } = live;
    const known = event.rounds.filter(({ number }) => number < (round?.number ?? 0));
    const rounds = round === null ? [] : [...known, summary(round)];
    const own = round?.boards.find(({ white, black }) => event.you !== null && [white, black].includes(event.you));
    const isNew = event.rounds.every(({ number }) => number !== round?.number) && !event.regulations.at_once;
    const game = own?.result === null ? own.game : null;
    const mine = isNew ? { your_game: game, your_games: game === null ? [] : [game] } : {};
    this.event = { ...event, state, next_at, ends_at, timer, now, rounds, ...mine };
    this.#rank(live);
  }

  #mine(event: EventView): string {
    const playing = event.players.filter(({ state }) => state !== 'withdrawn').length;
    return `${event.state} ${event.players.length} ${playing} ${event.stuck !== null}`;
  }

  /** Takes over a round that was told. Of an arena, waves that nobody looks at are forgotten. */
  #keep(round: RoundView, isArena: boolean): void {
    const shown = this.#shown === null ? undefined : this.rounds[this.#shown];
    const others = isArena ? (shown === undefined ? {} : { [shown.number]: shown }) : this.rounds;
    this.rounds = { ...others, [round.number]: round };
  }

  #counted(event: EventView, told: RoundView | null): EventView['rounds'] {
    const open = told?.boards.filter(({ result }) => result === null).length ?? 0;
    return event.rounds.map((round) => (round.number === told?.number ? { ...round, open } : round));
  }

  /** The waves of an arena, with the new one if there is one. */
  #waves(event: EventView, { round: told, open }: EventLive): EventView['rounds'] {
    const openIn = (wave: number): number => open.filter(({ round }) => round === wave).length;
    const rounds = event.rounds.map((round) => ({ ...round, open: openIn(round.number) }));
    if (told !== null && told.number > (event.rounds.at(-1)?.number ?? 0)) {
      const { number, published_at, boards } = told;
      rounds.push({ number, published_at, boards: boards.length, open: openIn(number) });
    }
    const shown = event.rounds.find(({ number }) => number === this.#shown);
    if (shown !== undefined && shown.number !== told?.number && shown.open !== openIn(shown.number))
      void this.#renew(shown.number);
    return rounds;
  }

  /** The games I play in an arena now. */
  #games({ you }: EventView): Pick<EventView, 'your_game' | 'your_games'> {
    const own = this.openBoards.filter(({ white, black }) => you !== null && (white === you || black === you));
    const games = own.flatMap(({ game }) => (game === null ? [] : [game]));
    return { your_game: games.at(-1) ?? null, your_games: games };
  }

  /** My table has its result once both have said the same. */
  #table({ you, your_table }: EventView, round: RoundView | null): Pick<EventView, 'your_table'> {
    const own = round?.boards.find(({ white, black }) => you !== null && (white === you || black === you));
    return { your_table: own?.result === null ? your_table : null };
  }

  /** New ranks for rows that are known; the cross table gets its new cells. */
  #rank(live: EventLive): void {
    const { standings } = this;
    if (standings === null) return;
    const boards = live.round?.boards ?? [];
    // Only looked into here: nothing on the screen depends on it.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    const known = new Map(standings.rows.map((row) => [row.player, row]));
    const rows = live.rows.flatMap((row) => {
      const before = known.get(row.player);
      // Somebody new, of whom not even the name is known: the whole table is on its way.
      if (before === undefined) return [];
      const cells = [...before.cells];
      const board = boards.find(({ white, black }) => white === row.player || black === row.player);
      const last = cells.at(-1);
      // The cells of an arena are games: the last one of a player need not be of the last wave.
      const isLast = this.event?.regulations.system !== 'arena' && cells.length === live.round?.number;
      if (board !== undefined && last !== undefined && isLast) {
        cells[cells.length - 1] = { ...last, score: scoreFor(board.result, board.white === row.player) };
      }
      return [{ ...row, performance: before.performance, cells }];
    });
    const isComplete = live.open.length === 0 && boards.every(({ result }) => result !== null);
    const round = live.round?.number ?? standings.round;
    const after = isComplete || this.event?.regulations.system !== 'swiss' ? round : round - 1;
    this.standings = { ...standings, rows, is_complete: isComplete, tie_breaks_after: after };
  }
}

/** A round in short. */
function summary({ number, published_at, boards }: RoundView): EventView['rounds'][number] {
  return { number, published_at, boards: boards.length, open: boards.filter(({ result }) => result === null).length };
}

/** What one side of a result says in the cross table. */
export function scoreFor(result: string | null, isWhite: boolean): string {
  if (result === null) return '';
  if (result.length === 2) return result.charAt(isWhite ? 0 : 1);
  const [white = '', black = ''] = result.split('-');
  return (isWhite ? white : black).replace('1/2', '½');
}

/** The event of a page, handed down by its layout. */
export const [getEventRoom, setEventRoom] = createContext<EventRoom>();
