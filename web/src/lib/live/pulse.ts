// Whether a line still lives. A network that has changed leaves lines that look open and lead nowhere.

/** A line is asked after this much silence: at a board, where a move may be waited for, and elsewhere. */
const SILENCE_AT_BOARD_MS = 1_000;
const SILENCE_MS = 15_000;
/** How long an answer is waited for: a few round trips, within these bounds. Before the first one, the longest. */
const LEAST_PATIENCE_MS = 1_000;
const MOST_PATIENCE_MS = 6_000;

/** Feels the pulse of one line. Time comes in from outside. */
export class Pulse {
  #heardAt: number;
  #askedAt: number | null = null;
  #late = 0;
  #patience = MOST_PATIENCE_MS;

  constructor(now: number) {
    this.#heardAt = now;
  }

  /** Something came over the line: it lives, whatever it was. */
  heard(now: number): void {
    this.#heardAt = now;
    if (this.#askedAt === null) return;
    this.#patience = Math.min(Math.max(4 * (now - this.#askedAt), LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
    this.#askedAt = null;
    this.#late = 0;
  }

  /** What to do now: ask, take the line for dead, or nothing. */
  feel(now: number, isAtBoard: boolean): 'ask' | 'dead' | 'wait' {
    if (this.#askedAt === null) {
      if (now - this.#heardAt < (isAtBoard ? SILENCE_AT_BOARD_MS : SILENCE_MS)) return 'wait';
      this.#askedAt = now;
      return 'ask';
    }
    if (now - this.#askedAt < this.#patience) return 'wait';
    // A page that was busy or asleep has perhaps not read what has come: it gets one more turn for that.
    this.#late += 1;
    return this.#late > 1 ? 'dead' : 'wait';
  }
}
