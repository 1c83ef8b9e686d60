// The pages of a player's history: which one is shown, and how to get to the others.
import type { HistoryPage } from '$lib/api/types';

/** What a history is narrowed down to; empty texts narrow nothing. */
export interface Filter {
  variant: string;
  speed: string;
  result: string;
  color: string;
  rated: string;
  opponent: string;
}

export const EVERYTHING: Readonly<Filter> = {
  variant: '',
  speed: '',
  result: '',
  color: '',
  rated: '',
  opponent: '',
};

/** What is asked of the server: the filter's set parts, and where the page begins. */
export function historyQuery(filter: Readonly<Filter>, before: string | null): string {
  const asked = { ...filter, before: before ?? '' };
  const set = Object.entries(asked).map(([name, value]: [string, string]) => [name, value.trim()] as const);
  return set
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The same read back, from the address of a page: what it does not know narrows nothing. */
export function readQuery(query: URLSearchParams): { filter: Filter; before: string | null } {
  const filter = { ...EVERYTHING };
  for (const name of Object.keys(EVERYTHING) as (keyof Filter)[]) filter[name] = query.get(name) ?? '';
  return { filter, before: query.get('before') };
}

export class History {
  /** The page that is shown; null until the first has come. */
  page = $state.raw<HistoryPage | null>(null);
  /** The filter it was asked with. */
  filter = $state.raw<Readonly<Filter>>(EVERYTHING);
  isLoading = $state(false);
  /** Where the pages before the shown one begin; the first page begins at null. */
  #newer = $state.raw<(string | null)[]>([]);
  #shown: string | null = null;
  /** Answers to older questions are passed over. */
  #asked = 0;

  constructor(
    private readonly fetchPage: (query: string) => Promise<HistoryPage>,
    private readonly failed: (error: unknown) => void,
    /** Called with what leads to the page that is now shown. */
    private readonly shown: (query: string) => void = () => {},
  ) {}

  get hasNewer(): boolean {
    return this.#newer.length > 0;
  }

  get hasOlder(): boolean {
    return this.page !== null && this.page.next !== null;
  }

  get isFiltered(): boolean {
    return historyQuery(this.filter, null) !== '';
  }

  /** Shows the first page with this filter, or the one that begins here: before that one comes the first again. */
  async show(filter: Readonly<Filter>, before: string | null = null): Promise<void> {
    this.filter = filter;
    await this.#go(before === null ? [] : [null], before);
  }

  async older(): Promise<void> {
    const next = this.page?.next ?? null;
    if (next !== null) await this.#go([...this.#newer, this.#shown], next);
  }

  async newer(): Promise<void> {
    const before = this.#newer.at(-1);
    if (before !== undefined) await this.#go(this.#newer.slice(0, -1), before);
  }

  async #go(newer: (string | null)[], begin: string | null): Promise<void> {
    const mine = ++this.#asked;
    this.isLoading = true;
    try {
      const query = historyQuery(this.filter, begin);
      const page = await this.fetchPage(query);
      if (mine !== this.#asked) return;
      this.page = page;
      this.#newer = newer;
      this.#shown = begin;
      this.shown(query);
    } catch (error) {
      if (mine === this.#asked) this.failed(error);
    } finally {
      if (mine === this.#asked) this.isLoading = false;
    }
  }
}
