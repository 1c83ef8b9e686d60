// Time in days, as correspondence players read it.
import type { GameCard } from '$lib/api/types';
import { t, tn } from '$lib/ui/text';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What is left in the two units that matter: `2 d 5 h`, `5 h 12 min`, `12 min`. */
export function leftText(ms: number): string {
  const left = Math.max(0, ms);
  const [days, hours, minutes] = [Math.floor(left / DAY), Math.floor(left / HOUR) % 24, Math.floor(left / 60_000) % 60];
  if (days > 0) return t('days.days_hours', { days, hours });
  return hours > 0 ? t('days.hours_minutes', { hours, minutes }) : t('days.minutes', { minutes });
}

/** The same in whole words, for those who listen. */
export function spokenLeft(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= DAY) return tn('days.days', Math.floor(left / DAY));
  return left >= HOUR ? tn('days.hours', Math.floor(left / HOUR)) : tn('days.minutes_left', Math.floor(left / 60_000));
}

/** A moment as a date with its time. */
export function momentText(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** The least time of whoever is to act first; games without a clock last, in the order they had. */
export function byTimeLeft<Game extends Pick<GameCard, 'clocks' | 'to_act'>>(games: readonly Game[]): Game[] {
  const left = ({ clocks, to_act }: Game): number =>
    (to_act === 'white' ? clocks.white_ms : to_act === 'black' ? clocks.black_ms : null) ?? Number.MAX_SAFE_INTEGER;
  return [...games].sort((a, b) => left(a) - left(b));
}
