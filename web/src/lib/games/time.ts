// Times as a player reads them.
import type { TimeControl } from '$lib/api/types';

/** A clock's face: `1:05:09`, `4:59`, and tenths below ten seconds: `0:09.4`. Never below zero. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A time control in a player's shorthand: `5+3`, `½+0`, `∞`. */
export function timeControlText(time: TimeControl): string {
  if (time.kind !== 'fischer') return '∞';
  return `${minutesText(time.initial_ms)}+${time.increment_ms / 1000}`;
}

function minutesText(ms: number): string {
  const fractions: Record<number, string> = { 15_000: '¼', 30_000: '½', 45_000: '¾' };
  return fractions[ms] ?? String(Math.round(ms / 6_000) / 10);
}
