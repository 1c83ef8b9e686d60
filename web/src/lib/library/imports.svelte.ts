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

/** The server takes up to 8 MiB at once. */
export const PIECE = 4 << 20;
const LOOK_MS = 500;
const TRIES = 5;

/** Whether something still happens to an import. */
export const isOpen = (one: ImportView): boolean => one.state === 'uploading' || one.state === 'running';

export class Imports {
  /** The newest first; null until told. */
  list = $state.raw<readonly ImportView[] | null>(null);
  /** Games a second, by import. */
  speeds = $state.raw<Readonly<Record<number, number>>>({});
  /** The imports whose files are being sent from here. */
  sending = $state.raw<readonly number[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
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

  /** Sends a file; a line that breaks is tried again from where the server stands. */
  async bring(name: string, file: Blob): Promise<void> {
    try {
      const one = (await this.#interrupted(name, file.size)) ?? (await this.door.begin(name, file.size));
      this.sending = [...this.sending, one.id];
      try {
        await this.#send(one, file);
      } finally {
        this.sending = this.sending.filter((id) => id !== one.id);
      }
    } catch (error) {
      this.failed(error);
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
      try {
        return await this.door.send(one.id, offset, file.slice(offset, offset + PIECE));
      } catch (error) {
        const code = error instanceof ApiError ? error.code : '';
        // The piece has arrived and its answer has not: the server says where to go on.
        if (code === 'wrong_offset') return this.door.get(one.id);
        if (code !== 'offline' || attempt === TRIES) throw error;
        await this.wait(1_000 * attempt);
      }
    }
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
