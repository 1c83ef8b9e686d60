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
  max_rating: string;
  /** A day, `2020-05-31`. */
  since: string;
  /** The last day. */
  until: string;
  result: string;
  /** Lengths in moves of both sides. */
  min_moves: string;
  max_moves: string;
  /** As PGN writes it, `180+2`. */
  time_control: string;
  /** Any tag of the file, and its value. */
  tag_name: string;
  tag_value: string;
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
  max_rating: '',
  since: '',
  until: '',
  result: '',
  min_moves: '',
  max_moves: '',
  time_control: '',
  tag_name: '',
  tag_value: '',
};

/** Conditions that are asked for less often: the page shows them on demand. */
export const RARE = [
  'max_rating',
  'until',
  'result',
  'min_moves',
  'max_moves',
  'time_control',
  'tag_name',
  'tag_value',
] as const satisfies readonly (keyof LibraryFilter)[];

const DAY_MS = 86_400_000;

/** Whose games. */
export type Scope = 'mine' | 'club';

/** What is asked of the server: the parts that are set, and more parts of the page's own. */
export function libraryQuery(
  scope: Scope,
  filter: Readonly<LibraryFilter>,
  more: Readonly<Record<string, string>> = {},
): string {
  const { since, until, min_moves, max_moves, tag_name, tag_value, ...plain } = filter;
  const number = (text: string, of: (value: number) => number): string => (text === '' ? '' : String(of(Number(text))));
  const asked: Record<string, string> = {
    scope,
    ...plain,
    since: since === '' ? '' : String(Date.parse(since)),
    // The last day belongs to it.
    until: until === '' ? '' : String(Date.parse(until) + DAY_MS),
    // A move of White alone is a move too.
    min_plies: number(min_moves, (moves) => Math.max(0, 2 * moves - 1)),
    max_plies: number(max_moves, (moves) => 2 * moves),
    tag: tag_name.trim() === '' || tag_value.trim() === '' ? '' : `${tag_name.trim()}=${tag_value.trim()}`,
    ...more,
  };
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

  /** Whether a condition is set that the page does not show by itself. */
  get hasRare(): boolean {
    return RARE.some((name) => this.filter[name] !== '');
  }

  /** The question with parts of the page's own. */
  query(more: Readonly<Record<string, string>> = {}): string {
    return libraryQuery(this.scope, this.filter, more);
  }
}

/** The question, handed down by the layout of the library. */
export const [getQuestion, setQuestion] = createContext<Question>();
