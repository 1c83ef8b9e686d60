// The clocks one can play with, and the one that is being chosen.
import type { Bonus, Color, Stage, TimeControl } from '$lib/api/types';
import type { TextKey } from '$lib/ui/text';

/** A clock that is one press away. */
export interface Preset {
  /** Its shorthand, which also names it: `5+0`. */
  name: string;
  minutes: number;
  seconds: number;
  /** How such a game is called. */
  label: TextKey;
}

export const PRESETS: readonly Preset[] = [
  { name: '1+0', minutes: 1, seconds: 0, label: 'time.bullet' },
  { name: '3+2', minutes: 3, seconds: 2, label: 'time.blitz' },
  { name: '5+0', minutes: 5, seconds: 0, label: 'time.blitz' },
  { name: '10+0', minutes: 10, seconds: 0, label: 'time.rapid' },
  { name: '15+10', minutes: 15, seconds: 10, label: 'time.rapid' },
  { name: '30+0', minutes: 30, seconds: 0, label: 'time.classical' },
];

const DAY = 86_400_000;
/** Days for a move that can be chosen. */
export const DAYS = [1, 2, 3, 5, 7, 10, 14];
/** Days in a bank. */
export const BANKS = [0, 5, 10, 20, 30, 45, 60];
/** Days that a bank can hold at most. */
export const CAPS = [5, 10, 20, 30, 40, 45, 60, 90, 120];
/** Days of leave a year. */
export const LEAVES = [0, 10, 20, 30, 45];

/** The steps of the sliders: close together where a minute matters, far apart where it does not. */
export const MINUTES = [
  0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 75, 90, 120, 150, 180,
];
export const SECONDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180];

/** The time control of so many minutes and added seconds. */
export function fischer(minutes: number, seconds: number): TimeControl {
  return { kind: 'fischer', initial_ms: minutes * 60_000, increment_ms: seconds * 1000 };
}

/** The clocks of quick pairing, in minutes and added seconds. */
export const QUICK: ReadonlyArray<readonly [number, number]> = [
  [1, 0],
  [2, 1],
  [3, 0],
  [3, 2],
  [5, 0],
  [5, 3],
  [10, 0],
  [10, 5],
  [15, 10],
  [30, 0],
  [30, 20],
];

/** A part of a game as it is typed in: minutes and seconds, and for how many moves unless it is the last. */
export interface StageDraft {
  moves: number;
  minutes: number;
  kind: Bonus['kind'];
  seconds: number;
}

type Staged = Extract<TimeControl, { kind: 'stages' }>;

const oneStage = (): StageDraft => ({ moves: 40, minutes: 90, kind: 'fischer', seconds: 30 });

/** A clock while it is being chosen. */
export class ClockDraft {
  /** A preset's name, `days`, `unlimited` or `custom`. */
  choice = $state('5+0');
  /** Minutes per side of a custom clock. */
  minutes = $state(5);
  /** Seconds added per move of a custom clock. */
  seconds = $state(3);
  /** Days for a move of a game by correspondence. */
  days = $state(3);
  /** Days in the bank at the start; 0 if every move has its own time. */
  bank = $state(0);
  /** Days the bank holds at most, as it was chosen; twice the bank if nobody has. */
  cap = $state<number | null>(null);
  /** Days of leave a year. */
  leave = $state(30);
  /** Whether weekends are not charged. */
  weekendsFree = $state(false);
  /** Whether a custom clock is made of stages instead of the two sliders. */
  isDetailed = $state(false);
  /** Whether the sides have different times. */
  hasOdds = $state(false);
  /** What each side has; Black's counts only with odds. */
  stages = $state<Record<Color, StageDraft[]>>({ white: [oneStage()], black: [oneStage()] });

  /** The time control that was chosen. */
  get time(): TimeControl {
    if (this.choice === 'unlimited') return { kind: 'unlimited' };
    if (this.choice === 'days') return this.#byDays();
    const preset = PRESETS.find(({ name }) => name === this.choice);
    if (preset !== undefined) return fischer(preset.minutes, preset.seconds);
    return this.isDetailed ? this.staged : fischer(this.minutes, this.seconds);
  }

  /** Adds a stage to a side; the one before it gets its number of moves. */
  add(color: Color): void {
    this.stages[color].push({ ...oneStage(), minutes: 30 });
  }

  /** Takes the last stage of a side away; one always stays. */
  remove(color: Color): void {
    if (this.stages[color].length > 1) this.stages[color].pop();
  }

  /** Days the bank holds at most: never less than it begins with. */
  get most(): number {
    return Math.max(this.bank, this.cap ?? this.bank * 2);
  }

  /** Whether it is a game over days, or without a clock. */
  get isSlow(): boolean {
    return this.choice === 'days' || this.choice === 'unlimited';
  }

  #byDays(): TimeControl {
    const hasBank = this.bank > 0;
    return {
      kind: 'days',
      per_move_ms: this.days * DAY,
      bank_ms: hasBank ? this.bank * DAY : null,
      cap_ms: hasBank ? this.most * DAY : null,
      leave_days: this.leave,
      weekends_free: this.weekendsFree,
    };
  }

  /** Takes over stages that were chosen before. */
  read({ white, black }: Pick<Staged, 'white' | 'black'>): void {
    this.stages = { white: white.map(drafted), black: black.map(drafted) };
    this.hasOdds = JSON.stringify(white) !== JSON.stringify(black);
  }

  /** The clock that is made of stages. */
  get staged(): Staged {
    const white = this.stages.white.map(finished);
    const black = this.hasOdds ? this.stages.black.map(finished) : white;
    return { kind: 'stages', white, black };
  }
}

function drafted({ moves, time_ms, bonus }: Stage): StageDraft {
  const seconds = bonus.kind === 'none' ? 0 : bonus.ms / 1000;
  return { moves: moves ?? 40, minutes: time_ms / 60_000, kind: bonus.kind, seconds };
}

function finished({ moves, minutes, kind, seconds }: StageDraft, i: number, all: readonly StageDraft[]): Stage {
  return {
    moves: i === all.length - 1 ? null : moves,
    time_ms: minutes * 60_000,
    bonus: kind === 'none' ? { kind } : { kind, ms: seconds * 1000 },
  };
}
