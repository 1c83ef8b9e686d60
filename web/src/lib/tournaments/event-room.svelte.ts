// An event as this tab knows it: loaded once, then kept up to date by the event's room on the socket.
import { createContext } from 'svelte';
import { getEvent, getRound, getStandings } from '$lib/api/events';
import type { EventLine, EventLive, EventView, RoundView, ServerMsg, StandingsView } from '$lib/api/types';
import type { Listener } from '$lib/live/live.svelte';

/** Lines of chat that are kept on the screen. */
const KEPT_LINES = 200;

export class EventRoom implements Listener {
  /** The event with its players, or null until it has come. */
  event = $state.raw<EventView | null>(null);
  /** The standings with the cross table. */
  standings = $state.raw<StandingsView | null>(null);
  /** The rounds that were looked at, by number. */
  rounds = $state.raw<Record<number, RoundView>>({});
  /** What was said. */
  chat = $state.raw<EventLine[]>([]);
  /** There is no such event, or not for me. */
  isMissing = $state(false);
  /** The room always tells its whole state. */
  readonly version = null;

  #entries = '';
  #loading: Promise<void> | null = null;
  #asked = 0;

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
      const last = event.rounds.at(-1)?.number;
      const wanted = Object.keys(this.rounds).map(Number);
      const known = wanted.filter((number) => event.rounds.some((round) => round.number === number));
      if (last !== undefined && !known.includes(last)) known.push(last);
      const rounds = await Promise.all(known.map((number) => getRound(this.id, number)));
      this.rounds = Object.fromEntries(rounds.map((round) => [round.number, round]));
    } catch {
      this.isMissing = this.event === null;
    }
  }

  /** Shows a round, asking for it if it is not known. */
  async show(round: number): Promise<void> {
    if (this.rounds[round] !== undefined) return;
    const found = await getRound(this.id, round);
    this.rounds = { ...this.rounds, [round]: found };
  }

  /** Takes over what an action gave, and asks for what follows from it. */
  async took(event: EventView): Promise<void> {
    this.event = event;
    await this.load();
  }

  receive(message: ServerMsg): void {
    if (message.t === 'event_chat') this.chat = [...this.chat, message.line].slice(-KEPT_LINES);
    if (message.t !== 'state' || message.state.kind !== 'event') return;
    this.#live(message.state, message.version);
  }

  #live(live: EventLive, version: number): void {
    this.chat = live.chat;
    const { event } = this;
    if (event === null || version <= event.version) return;
    // Results alone are told in full; whatever else has changed is worth asking for everything.
    const entries = `${live.state} ${live.players} ${live.playing} ${live.round?.number ?? 0}`;
    // Where all rounds run at once, the last one is not the only one in which something happens.
    const isSame = !event.regulations.at_once && entries === (this.#entries || this.#mine(event));
    this.#entries = entries;
    if (live.round !== null) this.rounds = { ...this.rounds, [live.round.number]: live.round };
    if (!isSame) {
      void this.load();
      return;
    }
    this.event = { ...event, version, next_at: live.next_at, rounds: this.#counted(event, live.round) };
    this.#rank(live);
  }

  #mine(event: EventView): string {
    const playing = event.players.filter(({ state }) => state !== 'withdrawn').length;
    return `${event.state} ${event.players.length} ${playing} ${event.rounds.at(-1)?.number ?? 0}`;
  }

  #counted(event: EventView, told: RoundView | null): EventView['rounds'] {
    const open = told?.boards.filter(({ result }) => result === null).length ?? 0;
    return event.rounds.map((round) => (round.number === told?.number ? { ...round, open } : round));
  }

  /** New ranks for rows that are known; the cross table gets its new cells. */
  #rank(live: EventLive): void {
    const { standings } = this;
    if (standings === null) return;
    const boards = live.round?.boards ?? [];
    const rows = live.rows.map((row) => {
      const before = standings.rows.find(({ player }) => player === row.player);
      const cells = [...(before?.cells ?? [])];
      const board = boards.find(({ white, black }) => white === row.player || black === row.player);
      const last = cells.at(-1);
      if (board !== undefined && last !== undefined && cells.length === live.round?.number) {
        cells[cells.length - 1] = { ...last, score: scoreFor(board.result, board.white === row.player) };
      }
      return { ...row, performance: before?.performance ?? null, cells };
    });
    this.standings = { ...standings, rows, is_complete: boards.every(({ result }) => result !== null) };
  }
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
