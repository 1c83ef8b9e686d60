// Times as a player reads them.
import type { Bonus, Clocks, Color, Stage, TimeControl } from '$lib/api/types';

const DAY = 86_400_000;

/** Whether a game waits for its players: days for a move, or no clock at all. */
export const isSlow = (time: TimeControl): boolean => time.kind === 'days' || time.kind === 'unlimited';

/** How long the running clock stands before it counts down: a delay, or a game that is frozen. */
export const standsFor = ({ delay_ms, frozen_ms }: Clocks): number => (delay_ms ?? 0) + (frozen_ms ?? 0);

/**
 * What a clock shows so many milliseconds after the server told it; null where there is none. Display only: the server
 * alone decides when a flag has fallen.
 */
export function leftAfter(clocks: Clocks, color: Color, passed: number): number | null {
  const told = color === 'white' ? clocks.white_ms : clocks.black_ms;
  if (told === null || clocks.running !== color) return told;
  return told - Math.max(0, passed - standsFor(clocks));
}

/** A clock's face: `2d 5h`, `1:05:09`, `4:59`, and tenths below ten seconds: `0:09.4`. Never below zero. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= DAY) return `${Math.floor(left / DAY)}d ${Math.floor(left / 3_600_000) % 24}h`;
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  return wholeSeconds(left);
}

/** A time without tenths: `0:09`. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A time control in a player's shorthand: `5+3`, `½+0`, `5d2`, `40/90+30, 30+30`, `5+0 : 2+0`, `∞`. */
export function timeControlText(time: TimeControl): string {
  if (time.kind === 'fischer') return `${minutesText(time.initial_ms)}+${time.increment_ms / 1000}`;
  if (time.kind === 'days') return daysText(time);
  if (time.kind !== 'stages') return '∞';
  const [white, black] = [stagesText(time.white), stagesText(time.black)];
  return white === black ? white : `${white} : ${black}`;
}

/** `3 d` a move, `10 d + 1 d` from a bank; `h` below a day. */
function daysText({ per_move_ms, bank_ms }: Extract<TimeControl, { kind: 'days' }>): string {
  return bank_ms === null ? spanText(per_move_ms) : `${spanText(bank_ms)} + ${spanText(per_move_ms)}`;
}

/** `3 d`, or `12 h` if it is no whole number of days. */
export function spanText(ms: number): string {
  return ms % DAY === 0 ? `${ms / DAY} d` : `${Math.round(ms / 3_600_000)} h`;
}

function stagesText(stages: readonly Stage[]): string {
  return stages
    .map(
      ({ moves, time_ms, bonus }) => `${moves === null ? '' : `${moves}/`}${minutesText(time_ms)}${bonusText(bonus)}`,
    )
    .join(', ');
}

/** `+` adds the seconds, `d` waits for them (delay), `b` gives back what was used of them (Bronstein). */
function bonusText(bonus: Bonus): string {
  if (bonus.kind === 'none') return '+0';
  return `${{ fischer: '+', delay: 'd', bronstein: 'b' }[bonus.kind]}${bonus.ms / 1000}`;
}

function minutesText(ms: number): string {
  const fractions: Record<number, string> = { 15_000: '¼', 30_000: '½', 45_000: '¾' };
  return fractions[ms] ?? String(Math.round(ms / 6_000) / 10);
}
