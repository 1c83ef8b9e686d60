// Which games are looked at: whose, and what they are narrowed down to. One question for all pages of the library.
import { createContext } from 'svelte';

/** What games are narrowed down to; empty texts narrow nothing. */
export interface LibraryFilter {
  player: string;
  opponent: string;
  side: string;
  score: string;
  opening: string;
  speed: string;
  source: string;
  min_rating: string;
  /** A day, `2020-05-31`. */
  since: string;
}

export const NO_FILTER: Readonly<LibraryFilter> = {
  player: '',
  opponent: '',
  side: '',
  score: '',
  opening: '',
  speed: '',
  source: '',
  min_rating: '',
  since: '',
};

/** Whose games. */
export type Scope = 'mine' | 'club';

/** What is asked of the server: the parts that are set, and more parts of the page's own. */
export function libraryQuery(
  scope: Scope,
  filter: Readonly<LibraryFilter>,
  more: Readonly<Record<string, string>> = {},
): string {
  const since = filter.since === '' ? '' : String(Date.parse(filter.since));
  const asked: Record<string, string> = { scope, ...filter, since, ...more };
  return Object.entries(asked)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '' && value !== 'NaN')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

export class Question {
  scope = $state<Scope>('club');
  filter = $state.raw<Readonly<LibraryFilter>>(NO_FILTER);

  constructor(isMember: boolean) {
    this.scope = isMember ? 'mine' : 'club';
  }

  get isFiltered(): boolean {
    return Object.values(this.filter).some((value: string) => value !== '');
  }

  /** The question with parts of the page's own. */
  query(more: Readonly<Record<string, string>> = {}): string {
    return libraryQuery(this.scope, this.filter, more);
  }
}

/** The question, handed down by the layout of the library. */
export const [getQuestion, setQuestion] = createContext<Question>();
