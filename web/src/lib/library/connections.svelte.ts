// Connected accounts: what is asked of the server, and a look now and then while something happens.
import type { ConnectionList, ConnectionService, ConnectionView } from '$lib/api/types';
import { t, tn } from '$lib/ui/text';

/** What the connections need of the server. */
export interface ConnectionDoor {
  list: () => Promise<ConnectionList>;
  connect: (service: ConnectionService, name: string) => Promise<ConnectionView>;
  prove: (id: number, token: string | null) => Promise<ConnectionView>;
  sync: (id: number) => Promise<ConnectionView>;
  disconnect: (id: number, removeGames: boolean) => Promise<void>;
}

const LOOK_MS = 1_000;
/** A wish is fulfilled some seconds later at most: the sites are not asked at any rate. */
const SOON_MS = 15_000;

/** Whether something happens to a connection, or is about to. */
export function isBusy(one: ConnectionView, now: number): boolean {
  if (one.state === 'checking' || one.state === 'syncing') return true;
  return one.next_at !== null && one.next_at - now < SOON_MS;
}

/** Why games of a connection were left out, each reason in words. */
export function skippedReasons(one: ConnectionView): string[] {
  const named = one.skipped_variants.map(({ variant, games }) =>
    t('connections.skipped.variant', { count: games, variant }),
  );
  const broken = one.skipped - one.skipped_variants.reduce((sum, { games }) => sum + games, 0);
  return broken > 0 ? [...named, tn('connections.skipped.broken', broken)] : named;
}

export class Connections {
  /** Null until told. */
  list = $state.raw<ConnectionList | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(
    private readonly door: ConnectionDoor,
    private readonly failed: (error: unknown) => void,
  ) {}

  async load(): Promise<void> {
    await this.#do(async () => undefined);
  }

  /** Whether it was taken. */
  connect(service: ConnectionService, name: string): Promise<boolean> {
    return this.#do(() => this.door.connect(service, name));
  }

  prove(id: number, token: string | null): Promise<boolean> {
    return this.#do(() => this.door.prove(id, token));
  }

  sync(id: number): Promise<boolean> {
    return this.#do(() => this.door.sync(id));
  }

  disconnect(id: number, removeGames: boolean): Promise<boolean> {
    return this.#do(() => this.door.disconnect(id, removeGames));
  }

  /** Stops looking, when the page is left. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #do(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
      this.list = await this.door.list();
      this.#watch();
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  #watch(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    if (this.#isOver || !(this.list?.connections ?? []).some((one) => isBusy(one, now))) return;
    this.#timer = setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    try {
      this.list = await this.door.list();
    } catch {
      // The line's banner tells when the server is away; the next look may find it again.
    }
    this.#watch();
  }
}
