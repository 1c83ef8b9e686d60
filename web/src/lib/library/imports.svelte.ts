// Files on their way into the library: sent piece by piece, then watched until they have been read.
import { ApiError } from '$lib/api/client';
import type { ImportView } from '$lib/api/types';

/** What the imports need of the server. */
export interface ImportDoor {
  list: () => Promise<{ imports: ImportView[] }>;
  begin: (name: string, bytes: number) => Promise<ImportView>;
  send: (id: number, offset: number, piece: Blob) => Promise<ImportView>;
  get: (id: number) => Promise<ImportView>;
  end: (id: number, removeGames: boolean) => Promise<ImportView>;
}

/** How long the pieces of a file are: the first, and the least and the most. The server takes up to 8 MiB at once. */
export const FIRST_PIECE = 256 << 10;
const LEAST = 32 << 10;
const MOST = 4 << 20;
/** The server waits half a minute for a piece: one that took longer than this is followed by a shorter one. */
const LONG_MS = 8_000;
/** And one that took less than this by a longer one, so that a file on a good line is not many questions. */
const SHORT_MS = 2_000;
const LOOK_MS = 500;
const TRIES = 8;
/** What the server or somebody in between says when it may go better in a moment: too slow, too many, away. */
const PASSING = [408, 429, 502, 503, 504];

/** Whether something still happens to an import. */
export const isOpen = (one: ImportView): boolean => ['uploading', 'waiting', 'running'].includes(one.state);

export class Imports {
  /** The newest first; null until told. */
  list = $state.raw<readonly ImportView[] | null>(null);
  /** Games a second, by import. */
  speeds = $state.raw<Readonly<Record<number, number>>>({});
  /** The imports whose files are being sent from here. */
  sending = $state.raw<readonly number[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How long the next piece is: as the line of this page is, whichever file it sends. */
  #piece = FIRST_PIECE;
  /** How much was read at the last look, and when that was. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing on the screen depends on it
  #looked = new Map<number, { at: number; read: number }>();

  constructor(
    private readonly door: ImportDoor,
    private readonly failed: (error: unknown) => void,
    private readonly wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
    private readonly now: () => number = () => performance.now(),
  ) {}

  async load(): Promise<void> {
    try {
      this.list = (await this.door.list()).imports;
      this.list.filter(isOpen).forEach((one) => this.#measure(one));
      this.#watch();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Sends a file; a line that breaks is tried again from where the server stands. Says whether all of it is there. */
  async bring(name: string, file: Blob): Promise<boolean> {
    try {
      // Pasted texts have one name, and two of one length are two texts: only a file goes on where it broke off.
      const begun = file instanceof File ? await this.#interrupted(name, file.size) : undefined;
      const one = begun ?? (await this.door.begin(name, file.size));
      this.sending = [...this.sending, one.id];
      try {
        await this.#send(one, file);
      } finally {
        this.sending = this.sending.filter((id) => id !== one.id);
      }
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  async end(id: number, removeGames: boolean): Promise<void> {
    try {
      this.#tell(await this.door.end(id, removeGames));
    } catch (error) {
      this.failed(error);
    }
  }

  /** Stops looking, when the page is left. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** An import of such a file that was broken off, here or on a page that is gone. */
  async #interrupted(name: string, bytes: number): Promise<ImportView | undefined> {
    const { imports } = await this.door.list();
    return imports.find(
      (one) =>
        one.state === 'uploading' && one.file_name === name && one.bytes === bytes && !this.sending.includes(one.id),
    );
  }

  async #send(begun: ImportView, file: Blob): Promise<void> {
    let one = begun;
    this.#tell(one);
    while (one.state === 'uploading' && one.bytes_arrived < file.size) {
      one = await this.#sendNext(one, file);
      this.#tell(one);
    }
    this.#watch();
  }

  async #sendNext(one: ImportView, file: Blob): Promise<ImportView> {
    const offset = one.bytes_arrived;
    for (let attempt = 1; ; attempt += 1) {
      const begun = this.now();
      try {
        const told = await this.door.send(one.id, offset, file.slice(offset, offset + this.#piece));
        const took = this.now() - begun;
        if (took > LONG_MS) this.#shorten();
        else if (took < SHORT_MS) this.#piece = Math.min(this.#piece * 2, MOST);
        return told;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The piece has arrived and its answer has not: the server says where to go on.
        if (error.code === 'wrong_offset') return this.door.get(one.id);
        const isPassing = error.code === 'offline' || PASSING.includes(error.status);
        if (!isPassing || attempt === TRIES) throw error;
        // Too many questions are no reason for shorter ones.
        if (error.status !== 429) this.#shorten();
        await this.wait(error.waitMs ?? 1_000 * attempt);
      }
    }
  }

  #shorten(): void {
    this.#piece = Math.max(this.#piece / 2, LEAST);
  }

  #tell(one: ImportView): void {
    this.#measure(one);
    const others = (this.list ?? []).filter((other) => other.id !== one.id);
    this.list = [one, ...others].sort((a, b) => b.id - a.id);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (!(this.list ?? []).some(isOpen)) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    for (const one of (this.list ?? []).filter(isOpen)) {
      try {
        const now = await this.door.get(one.id);
        this.#tell(now);
      } catch {
        // The line's banner tells when the server is away; the next look may find it again.
      }
    }
    this.#watch();
  }

  /** The answer may have been long on its way: what counts is the time between two answers. */
  #measure(one: ImportView): void {
    const [at, read] = [this.now(), one.games + one.duplicates];
    const before = this.#looked.get(one.id);
    this.#looked.set(one.id, { at, read });
    if (before === undefined || at <= before.at) return;
    const speed = ((read - before.read) * 1_000) / (at - before.at);
    this.speeds = { ...this.speeds, [one.id]: Math.round(speed) };
  }
}
