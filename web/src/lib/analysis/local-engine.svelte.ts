// Stockfish in this browser: one worker, loaded when somebody wants it. The server is asked first whether the position
// may be analysed at all, and again with every line, whose moves it writes as people do.
import engineUrl from 'stockfish/bin/stockfish-19-lite-single.js?url';
import wasmUrl from 'stockfish/bin/stockfish-19-lite-single.wasm?url';
import { getPosition } from '$lib/api/analysis';
import { ApiError } from '$lib/api/client';
import type { AnalysisState, EngineLine, PositionQuestion, PositionView } from '$lib/api/types';
import { t } from '$lib/ui/text';
import type { Desk, Told, Wish } from './engine.svelte';
import { passed, readBest, readInfo, take, type UciLine } from './uci';

/** How long it looks at one position. */
const LONGEST_MS = 60_000;
const HINT_MS = 800;
/** Between two questions to the server about the moves of lines: everybody behind one address shares an allowance. */
const PAUSE_MS = 500;
/** After a question that the server found too many. */
const BUSY_MS = 3_000;
/** What the server says then. */
const TOO_MANY = 429;
/** An engine that has not stopped after this long is ended, and another one begun. */
const STOPS_WITHIN_MS = 1_000;
/** Moves of a line that are told. */
const TOLD_MOVES = 8;

/** A worker as far as we need it, so that tests can do without one. */
export type Talker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The moves of a line that are told. */
const told = (moves: readonly string[]): string[] => moves.slice(0, TOLD_MOVES);

/** Where the engine is loaded from: both files are ours. */
const start = (): Talker => new Worker(`${engineUrl}#${encodeURIComponent(wasmUrl)}`);

export class LocalDesk implements Desk {
  told = $state.raw<Told | null>(null);
  state = $state.raw<AnalysisState | null>(null);
  wish = $state.raw<Wish | null>(null);
  #worker: Talker | null = null;
  /** The question that counts; answers to older ones are dropped. */
  #id = 0;
  /** The question that the engine searches for; it is asked nothing else before it has ended that. */
  #searching: number | null = null;
  /** What it is asked then. */
  #queued: { id: number; lines: string[] } | null = null;
  /** Ends an engine that was told to stop and does not. */
  #patience: ReturnType<typeof setTimeout> | null = null;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody watches it
  #lines = new Map<number, UciLine>();
  #view: PositionView | null = null;
  /** Lines and their beginnings as the server wrote them, by their moves. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody watches it
  #written = new Map<string, string[]>();
  /** The lines of a question that are being written, for as long as there is something to write. */
  #writing: { id: number; done: Promise<void> } | null = null;
  /** When the server was last asked about the moves of a line. */
  #askedAt = -PAUSE_MS;

  constructor(private readonly begin: () => Talker = start) {}

  ask(wish: Wish): void {
    this.#halt();
    this.wish = wish;
    this.told = null;
    this.state = null;
    void this.#ask(wish, this.#id);
  }

  stop(): void {
    if (this.wish === null) return;
    this.wish = null;
    this.#halt();
  }

  /** Ends the worker. It is loaded anew when somebody asks again. */
  close(): void {
    this.stop();
    this.#queued = null;
    this.#end();
  }

  #halt(): void {
    this.#id += 1;
    this.#lines.clear();
    this.#written.clear();
    this.#view = null;
    this.#queued = null;
    if (this.#searching === null || this.#patience !== null) return;
    this.#worker?.postMessage('stop');
    this.#patience = setTimeout(() => {
      this.#end();
      this.#askQueued();
    }, STOPS_WITHIN_MS);
  }

  /** Ends the worker, whatever it does. */
  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#hasEnded();
  }

  /** Nothing is searched for any more. */
  #hasEnded(): void {
    this.#searching = null;
    if (this.#patience !== null) clearTimeout(this.#patience);
    this.#patience = null;
  }

  #askQueued(): void {
    if (this.#queued === null || this.#searching !== null) return;
    const { id, lines } = this.#queued;
    this.#queued = null;
    this.#searching = id;
    this.#say(...lines);
  }

  async #ask(wish: Wish, id: number): Promise<void> {
    const { variant } = wish.position;
    if (variant !== 'standard' && variant !== 'chess960')
      return this.#refuse('unsuitable', t('analysis.local.variant'));
    try {
      const view = await this.#look(wish.position, id);
      if (view === null) return;
      if (wish.aim === 'threat' && view.check !== null) return this.#refuse('bad_position', t('analysis.local.check'));
      this.#view = view;
      const moves = view.moves.map(({ uci }) => uci);
      const way = moves.length === 0 ? '' : ` moves ${moves.join(' ')}`;
      const lines = [
        `setoption name MultiPV value ${wish.aim === 'hint' ? 1 : wish.lines}`,
        `setoption name UCI_Chess960 value ${variant === 'chess960'}`,
        wish.aim === 'threat' ? `position fen ${passed(view.fen)}` : `position fen ${view.start_fen}${way}`,
        `go movetime ${wish.aim === 'hint' ? HINT_MS : LONGEST_MS}`,
      ];
      this.#queued = { id, lines };
      this.#askQueued();
    } catch (error) {
      if (id === this.#id) this.#fail(error);
    }
  }

  #say(...lines: string[]): void {
    if (this.#worker === null) {
      const worker = this.begin();
      worker.onmessage = ({ data }: MessageEvent<unknown>) => this.#hear(String(data));
      worker.onerror = () => {
        this.close();
        this.#refuse('engine', t('analysis.local.failed'));
      };
      worker.postMessage('uci');
      this.#worker = worker;
    }
    for (const line of lines) this.#worker.postMessage(line);
  }

  #hear(text: string): void {
    if (/^bestmove\b/.test(text.trim())) {
      const ended = this.#searching;
      this.#hasEnded();
      this.#askQueued();
      if (ended !== this.#id || this.wish === null || this.#view === null) return;
      void this.#write(this.#id).then(() => {
        if (this.wish !== null && this.state?.kind !== 'refused')
          this.state = { kind: 'done', engine: t('analysis.local.name'), best: readBest(text) };
      });
      return;
    }
    // What an older question still says is of no interest.
    if (this.#searching !== this.#id || this.wish === null || this.#view === null) return;
    const isWhite = (this.#view.to_act === 'white') !== (this.wish.aim === 'threat');
    const line = readInfo(text, isWhite);
    if (line === null) return;
    this.state ??= { kind: 'running' };
    take(this.#lines, line);
    this.#show();
    void this.#write(this.#id);
  }

  /** Shows the lines, as far as their moves are written. */
  #show(): void {
    const lines = [...this.#lines.values()].sort((a, b) => a.rank - b.rank);
    const shown = lines.flatMap(({ rank, depth, score, moves }): EngineLine[] => {
      const san = this.#known(told(moves));
      return san.length === 0 ? [] : [{ rank, depth, score, uci: moves.slice(0, san.length), san }];
    });
    const first = lines[0];
    if (first === undefined || shown.length === 0) return;
    const { depth, nodes, speed } = first;
    this.told = { depth, nodes, speed, lines: shown };
  }

  /** The first moves of a line that are written. */
  #known(uci: readonly string[]): string[] {
    for (let length = uci.length; length > 0; length -= 1) {
      const known = this.#written.get(uci.slice(0, length).join(' '));
      if (known !== undefined) return known;
    }
    return [];
  }

  /** Has the moves of all lines written as people do. */
  #write(id: number): Promise<void> {
    if (this.#writing?.id === id) return this.#writing.done;
    const done = this.#writeAll(id).finally(() => {
      if (this.#writing?.id === id) this.#writing = null;
    });
    this.#writing = { id, done };
    return done;
  }

  async #writeAll(id: number): Promise<void> {
    try {
      while (this.#nextToWrite() !== null) {
        await pause(this.#askedAt + PAUSE_MS - performance.now());
        const { wish } = this;
        const view = this.#view;
        const uci = this.#nextToWrite();
        if (id !== this.#id || wish === null || view === null || uci === null) return;
        this.#askedAt = performance.now();
        const question =
          wish.aim === 'threat'
            ? { variant: wish.position.variant, start: passed(view.fen), moves: uci }
            : { ...wish.position, moves: [...wish.position.moves, ...uci] };
        const answer = await this.#look(question, id);
        if (answer === null) return;
        const written = answer.moves.slice(-uci.length).map(({ san }) => san);
        for (const length of uci.keys()) {
          this.#written.set(uci.slice(0, length + 1).join(' '), written.slice(0, length + 1));
        }
        this.#show();
      }
    } catch (error) {
      if (id === this.#id) this.#fail(error);
    }
  }

  /** Of the lines that are not written to their end, the one of which the least is known. */
  #nextToWrite(): string[] | null {
    const missing = [...this.#lines.values()]
      .map(({ rank, moves }) => ({ rank, uci: told(moves), known: this.#known(told(moves)).length }))
      .filter(({ uci, known }) => known < uci.length)
      .sort((a, b) => a.known - b.known || a.rank - b.rank);
    return missing[0]?.uci ?? null;
  }

  /** What the server says of a position; null if another one is looked at meanwhile. A server that was asked too much is
   * asked again. */
  async #look(question: Partial<PositionQuestion>, id: number): Promise<PositionView | null> {
    while (id === this.#id) {
      try {
        const view = await getPosition(question);
        return id === this.#id ? view : null;
      } catch (error) {
        if (!(error instanceof ApiError && error.status === TOO_MANY)) throw error;
      }
      await pause(BUSY_MS);
    }
    return null;
  }

  #fail(error: unknown): void {
    if (error instanceof ApiError) this.#refuse(error.code, error.message);
    else this.#refuse('engine', t('analysis.local.failed'));
  }

  #refuse(code: string, reason: string): void {
    this.#halt();
    this.told = null;
    this.state = { kind: 'refused', code, reason };
  }
}
