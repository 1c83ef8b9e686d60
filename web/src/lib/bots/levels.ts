// The levels of the computer, and what is said about each.
import type { TextKey } from '$lib/ui/text';

export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;

const ABOUT: readonly TextKey[] = [
  'bots.about_1',
  'bots.about_2',
  'bots.about_3',
  'bots.about_4',
  'bots.about_5',
  'bots.about_6',
  'bots.about_7',
  'bots.about_8',
];

/** The name of the text about a level; the strongest stands for what is beyond. */
export function aboutLevel(level: number): TextKey {
  return ABOUT[level - 1] ?? 'bots.about_8';
}

/** The level in an address such as `/?bot=3`; none if it names none. */
export function levelIn(query: URLSearchParams): number | null {
  const level = Number(query.get('bot'));
  return LEVELS.some((each) => each === level) ? level : null;
}
