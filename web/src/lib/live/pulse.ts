// Whether a line still lives. A network that has changed leaves lines that look open and lead nowhere.

/** How often the pulse is felt. With what follows, a quick line that dies is replaced within three seconds. */
export const BEAT_MS = 250;
/** A line is asked after this much silence: where something is awaited, a move say, and elsewhere. */
const SILENCE_AWAITING_MS = 1_000;
const SILENCE_MS = 15_000;
/** How long an answer is waited for: a few round trips, within these bounds. */
const LEAST_PATIENCE_MS = 1_000;
const MOST_PATIENCE_MS = 6_000;

/** Feels the pulse of one line. Time comes in from outside. */
export class Pulse {
  #heardAt: number;
  #askedAt: number | null = null;
  #late = 0;
  #patience: number;

  /** A line was opened, which took so long: two round trips at least. */
  constructor(now: number, opening: number) {
    this.#heardAt = now;
    this.#patience = patience(opening / 2);
  }

  /** Something came over the line: it lives, whatever it was. */
  heard(now: number): void {
    this.#heardAt = now;
    if (this.#askedAt === null) return;
    this.#patience = patience(now - this.#askedAt);
    this.#askedAt = null;
    this.#late = 0;
  }

  /** What to do now: ask, take the line for dead, or nothing. */
  feel(now: number, isAwaiting: boolean): 'ask' | 'dead' | 'wait' {
    if (this.#askedAt === null) {
      if (now - this.#heardAt < (isAwaiting ? SILENCE_AWAITING_MS : SILENCE_MS)) return 'wait';
      this.#askedAt = now;
      return 'ask';
    }
    if (now - this.#askedAt < this.#patience) return 'wait';
    // A page that was busy or asleep has perhaps not read what has come: it gets one more turn for that.
    this.#late += 1;
    return this.#late > 1 ? 'dead' : 'wait';
  }
}

/** How long an answer is waited for on a line with this round trip. */
function patience(roundTrip: number): number {
  return Math.min(Math.max(4 * roundTrip, LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
}
