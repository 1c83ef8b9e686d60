// The level one plays prepared positions against: this browser remembers the last one, and lists open with it.
import { LEVELS } from '$lib/bots/levels';

/** Where nothing is remembered: sound moves, and no wall for whoever comes for the first time. */
export const USUAL_LEVEL = 4;
const NAME = 'defender-level';

/** The level last played here. */
export function lastLevel(storage: () => Pick<Storage, 'getItem'> = () => localStorage): number {
  try {
    const kept = Number(storage().getItem(NAME));
    return LEVELS.find((level) => level === kept) ?? USUAL_LEVEL;
  } catch {
    // Storage may be forbidden.
    return USUAL_LEVEL;
  }
}

/** Remembers the level that is played. */
export function keepLevel(level: number, storage: () => Pick<Storage, 'setItem'> = () => localStorage): void {
  try {
    storage().setItem(NAME, String(level));
  } catch {
    // Nothing is lost but the memory of it.
  }
}
