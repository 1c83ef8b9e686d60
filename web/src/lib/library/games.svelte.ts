// A list of games, page by page.
import type { LibraryPage } from '$lib/api/types';

export class GameList {
  /** The page that is shown; null until the first has come. */
  page = $state.raw<LibraryPage | null>(null);
  isLoading = $state(false);
  /** Where the pages before the shown one begin; the first begins at the empty mark. */
  #newer = $state.raw<string[]>([]);
  #shown = '';
  /** Answers to older questions are passed over. */
  #asked = 0;

  constructor(
    private readonly fetchPage: (before: string) => Promise<LibraryPage>,
    private readonly failed: (error: unknown) => void,
  ) {}

  get hasNewer(): boolean {
    return this.#newer.length > 0;
  }

  get hasOlder(): boolean {
    return (this.page?.next ?? null) !== null;
  }

  /** Shows the first page. */
  show(): Promise<void> {
    return this.#go([], '');
  }

  async older(): Promise<void> {
    const next = this.page?.next ?? null;
    if (next !== null) await this.#go([...this.#newer, this.#shown], next);
  }

  async newer(): Promise<void> {
    const before = this.#newer.at(-1);
    if (before !== undefined) await this.#go(this.#newer.slice(0, -1), before);
  }

  async #go(newer: string[], begin: string): Promise<void> {
    const mine = ++this.#asked;
    this.isLoading = true;
    try {
      const page = await this.fetchPage(begin);
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
