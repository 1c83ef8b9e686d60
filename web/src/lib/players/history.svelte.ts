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

  /** Shows the first page with this filter. */
  async show(filter: Readonly<Filter>): Promise<void> {
    this.filter = filter;
    await this.#go([], null);
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
      const page = await this.fetchPage(historyQuery(this.filter, begin));
      if (mine !== this.#asked) return;
      this.page = page;
      this.#newer = newer;
      this.#shown = begin;
    } catch (error) {
      if (mine === this.#asked) this.failed(error);
    } finally {
      if (mine === this.#asked) this.isLoading = false;
    }
  }
}
