// Stockfish in this browser: one worker, loaded when somebody wants it. The server is asked first whether the position
// may be analysed at all, and again with every line, whose moves it writes as people do.
import engineUrl from 'stockfish/bin/stockfish-19-lite-single.js?url';
import wasmUrl from 'stockfish/bin/stockfish-19-lite-single.wasm?url';
import { getPosition } from '$lib/api/analysis';
import { ApiError } from '$lib/api/client';
import type { AnalysisState, EngineLine, PositionView } from '$lib/api/types';
import { t } from '$lib/ui/text';
import type { Desk, Told, Wish } from './engine.svelte';
import { passed, readBest, readInfo, type UciLine } from './uci';

/** How long it looks at one position. */
const LONGEST_MS = 60_000;
const HINT_MS = 800;
/** Between two questions to the server about the moves of lines. */
const PAUSE_MS = 500;
/** Moves of a line that are told. */
const TOLD_MOVES = 8;

/** A worker as far as we need it, so that tests can do without one. */
export type Talker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

/** Where the engine is loaded from: both files are ours. */
const start = (): Talker => new Worker(`${engineUrl}#${encodeURIComponent(wasmUrl)}`);

export class LocalDesk implements Desk {
  told = $state.raw<Told | null>(null);
  state = $state.raw<AnalysisState | null>(null);
  wish = $state.raw<Wish | null>(null);
  #worker: Talker | null = null;
  /** The question that counts; answers to older ones are dropped. */
  #id = 0;
  /** Questions that the engine has been asked and has not ended: only the last one's lines count. */
  #running = 0;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody watches it
  #lines = new Map<number, UciLine>();
  #view: PositionView | null = null;
  /** Lines as the server wrote them, by their moves. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nobody watches it
  #written = new Map<string, string[]>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isWriting = false;

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
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = 0;
  }

  #halt(): void {
    this.#id += 1;
    this.#lines.clear();
    this.#written.clear();
    this.#view = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#running > 0) this.#worker?.postMessage('stop');
  }

  async #ask(wish: Wish, id: number): Promise<void> {
    const { variant } = wish.position;
    if (variant !== 'standard' && variant !== 'chess960')
      return this.#refuse('unsuitable', t('analysis.local.variant'));
    try {
      const view = await getPosition(wish.position);
      if (id !== this.#id) return;
      if (wish.aim === 'threat' && view.check !== null) return this.#refuse('bad_position', t('analysis.local.check'));
      this.#view = view;
      const moves = view.moves.map(({ uci }) => uci);
      const way = moves.length === 0 ? '' : ` moves ${moves.join(' ')}`;
      this.#say(
        `setoption name MultiPV value ${wish.aim === 'hint' ? 1 : wish.lines}`,
        `setoption name UCI_Chess960 value ${variant === 'chess960'}`,
        wish.aim === 'threat' ? `position fen ${passed(view.fen)}` : `position fen ${view.start_fen}${way}`,
        `go movetime ${wish.aim === 'hint' ? HINT_MS : LONGEST_MS}`,
      );
      this.#running += 1;
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
      this.#running -= 1;
      if (this.#running > 0 || this.wish === null || this.#view === null) return;
      void this.#write(this.#id).then(() => {
        if (this.wish !== null && this.state?.kind !== 'refused')
          this.state = { kind: 'done', engine: t('analysis.local.name'), best: readBest(text) };
      });
      return;
    }
    // What an older question still says is of no interest.
    if (this.#running !== 1 || this.wish === null || this.#view === null) return;
    const isWhite = (this.#view.to_act === 'white') !== (this.wish.aim === 'threat');
    const line = readInfo(text, isWhite);
    if (line === null) return;
    this.state ??= { kind: 'running' };
    this.#lines.set(line.rank, line);
    const id = this.#id;
    // The first line at once, later ones at rest.
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null;
        if (id === this.#id) void this.#write(id);
      },
      this.told === null ? 0 : PAUSE_MS,
    );
  }

  /** Has the moves written as people do, and shows the lines. */
  async #write(id: number): Promise<void> {
    const { wish } = this;
    if (this.#isWriting || wish === null || this.#view === null) return;
    this.#isWriting = true;
    try {
      const lines = [...this.#lines.values()].sort((a, b) => a.rank - b.rank);
      const shown: EngineLine[] = [];
      for (const { rank, depth, score, moves } of lines) {
        const uci = moves.slice(0, TOLD_MOVES);
        const san = await this.#sans(wish, this.#view, uci);
        if (id !== this.#id) return;
        shown.push({ rank, depth, score, uci, san });
      }
      const first = lines[0];
      if (first !== undefined) {
        const { depth, nodes, speed } = first;
        this.told = { depth, nodes, speed, lines: shown };
      }
    } catch (error) {
      if (id === this.#id) this.#fail(error);
    } finally {
      this.#isWriting = false;
    }
  }

  async #sans(wish: Wish, view: PositionView, uci: string[]): Promise<string[]> {
    const key = uci.join(' ');
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const question =
      wish.aim === 'threat'
        ? { variant: wish.position.variant, start: passed(view.fen), moves: uci }
        : { ...wish.position, moves: [...wish.position.moves, ...uci] };
    const written = (await getPosition(question)).moves.slice(-uci.length).map(({ san }) => san);
    this.#written.set(key, written);
    return written;
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
