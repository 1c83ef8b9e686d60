/* eslint-disable svelte/prefer-svelte-reactivity -- parameters are replaced whole, never changed in place */
// Which games are looked at: whose, and what they are narrowed down to. One question for all pages of the library.
import { createContext, untrack } from 'svelte';

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

/** Whose games: mine, the club's, both together, or those somebody played. */
export type Scope = 'mine' | 'club' | 'all' | `player:${string}`;

const isScope = (text: string | null): text is Scope =>
  text === 'mine' || text === 'club' || text === 'all' || text?.startsWith('player:') === true;

/** The name of the player whose games a scope means; none for the other scopes. */
export const playerOf = (scope: Scope): string | null =>
  scope.startsWith('player:') ? scope.slice('player:'.length) : null;

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

const NAMES = Object.keys(NO_FILTER) as (keyof LibraryFilter)[];

/** The filter that stands in an address. */
export function readFilter(params: URLSearchParams): LibraryFilter {
  return Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ''])) as unknown as LibraryFilter;
}

/** The parts of an address that say which games are looked at; those of the page itself stay as they are. */
export function withQuestion(
  params: URLSearchParams,
  scope: Scope | null,
  filter: Readonly<LibraryFilter>,
): URLSearchParams {
  const changed = new URLSearchParams(params);
  for (const [name, value] of [['scope', scope ?? ''] as const, ...Object.entries(filter)]) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** The question as it stands in the address of the page: it stays when the page is loaded again, gone back to, or shared. */
export class Question {
  #params = $state.raw(new URLSearchParams());
  /** Whose games; null without a word. */
  #wanted = $derived.by((): Scope | null => {
    const scope = this.#params.get('scope');
    return isScope(scope) ? scope : null;
  });
  #filter = $derived.by((): Readonly<LibraryFilter> => readFilter(this.#params));

  /** `isMember`: whether somebody looks who has own games; `write`: puts a changed question into the address. */
  constructor(
    private readonly isMember: () => boolean,
    private readonly write: (params: URLSearchParams) => void = () => undefined,
  ) {}

  /** Takes the question out of an address. */
  read(params: URLSearchParams): void {
    // What this class has written itself comes back: that is no other question.
    if (params.toString() !== untrack(() => this.#params.toString())) this.#params = new URLSearchParams(params);
  }

  /** A member begins with the own games. */
  get scope(): Scope {
    return this.#wanted ?? (this.isMember() ? 'mine' : 'club');
  }

  set scope(scope: Scope) {
    this.#change(scope, this.filter);
  }

  get filter(): Readonly<LibraryFilter> {
    return this.#filter;
  }

  set filter(filter: Readonly<LibraryFilter>) {
    this.#change(this.#wanted, filter);
  }

  get isFiltered(): boolean {
    return Object.values(this.filter).some((value: string) => value !== '');
  }

  /** Whether a condition is set that the page does not show by itself. */
  get hasRare(): boolean {
    return RARE.some((name) => this.filter[name] !== '');
  }

  /** The question with parts of the page's own, for the server. */
  query(more: Readonly<Record<string, string>> = {}): string {
    return libraryQuery(this.scope, this.filter, more);
  }

  /** What stands behind the address of another page that takes the question along: `?…` or nothing. */
  search(more: Readonly<Record<string, string>> = {}): string {
    const params = withQuestion(new URLSearchParams(more), this.#wanted, { ...this.filter, ...more });
    return params.size === 0 ? '' : `?${params}`;
  }

  #change(scope: Scope | null, filter: Readonly<LibraryFilter>): void {
    this.#params = withQuestion(this.#params, scope, filter);
    this.write(this.#params);
  }
}

/** The question, handed down by the layout of the library. */
export const [getQuestion, setQuestion] = createContext<Question>();
