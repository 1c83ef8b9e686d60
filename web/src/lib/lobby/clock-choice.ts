// The clocks a friend can be invited to.
import type { TimeControl } from '$lib/api/types';
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

/** The steps of the sliders: close together where a minute matters, far apart where it does not. */
export const MINUTES = [
  0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 75, 90, 120, 150, 180,
];
export const SECONDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 45, 60, 90, 120, 180];

/** The time control of so many minutes and added seconds. */
export function fischer(minutes: number, seconds: number): TimeControl {
  return { kind: 'fischer', initial_ms: minutes * 60_000, increment_ms: seconds * 1000 };
}

/** The time control that was chosen: a preset's name, `unlimited`, or `custom` with the sliders' values. */
export function chosenTime(choice: string, minutes: number, seconds: number): TimeControl {
  if (choice === 'unlimited') return { kind: 'unlimited' };
  const preset = PRESETS.find(({ name }) => name === choice);
  return preset === undefined ? fischer(minutes, seconds) : fischer(preset.minutes, preset.seconds);
}
