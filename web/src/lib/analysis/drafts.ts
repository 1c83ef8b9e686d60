// Analyses that nobody has kept yet, in this browser: whoever leaves the page finds them again. Guests too.
import type { OpenStudy } from './board.svelte';
import type { Path, Tree } from './tree';

/** A board as it was left. */
export interface Draft {
  tree: Tree;
  path: Path;
  study: OpenStudy | null;
}

/** Where drafts are stored. */
const NAME = 'analysis-drafts';
/** So many boards; the one that was not touched for the longest time goes first. */
const MOST = 5;

/** What a board was opened from, as drafts are found by: a game, a study, a position; empty for none of these. */
export function whereOf(query: URLSearchParams): string {
  const name = ['game', 'library', 'study', 'fen'].find((name) => query.has(name));
  return name === undefined ? '' : `${name}=${query.get(name)}`;
}

/** The drafts of this browser. Storage may be forbidden or full: then there are none. */
export class Drafts {
  constructor(private readonly storage: () => Storage = () => localStorage) {}

  find(where: string): Draft | null {
    const draft = this.#read().find(([name]) => name === where)?.[1];
    return draft?.tree?.root === undefined ? null : draft;
  }

  keep(where: string, draft: Draft): void {
    const others = this.#read().filter(([name]) => name !== where);
    this.#write([...others, [where, draft] as [string, Draft]].slice(-MOST));
  }

  forget(where: string): void {
    const all = this.#read();
    const others = all.filter(([name]) => name !== where);
    if (others.length < all.length) this.#write(others);
  }

  /** The one touched last is last. */
  #read(): Array<[string, Draft]> {
    try {
      const kept: unknown = JSON.parse(this.storage().getItem(NAME) ?? '[]');
      return Array.isArray(kept) ? (kept as Array<[string, Draft]>) : [];
    } catch {
      return [];
    }
  }

  #write(drafts: Array<[string, Draft]>): void {
    try {
      this.storage().setItem(NAME, JSON.stringify(drafts));
    } catch {
      // Full or forbidden: the board itself is still there.
    }
  }
}
