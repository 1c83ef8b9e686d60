// What is agreed on before a game, in a few words.
import type { Challenge, ColorChoice, QueuePlace, TimeControl } from '$lib/api/types';
import { otherColor } from '$lib/board/placement';
import { dayTerms } from '$lib/correspondence/words';
import { timeControlText, wholeSeconds } from '$lib/games/time';
import { t, tn, type TextKey } from '$lib/ui/text';

/** A challenge's conditions as the one who is asked reads them: `5+3 · Rated · you play Black`. */
export function termsText(
  challenge: Pick<Challenge, 'time' | 'rated' | 'color' | 'is_mine'> & Partial<Pick<Challenge, 'variant'>>,
): string {
  const { variant = 'standard' } = challenge;
  const parts = variant === 'standard' ? [] : [t(`variant.${variant}`)];
  parts.push(
    timeControlText(challenge.time),
    ...dayTerms(challenge.time),
    challenge.rated ? t('game.rated') : t('game.casual'),
  );
  const color = challenge.is_mine ? challenge.color : seenFromAcross(challenge.color);
  parts.push(
    color === 'random' ? t('challenge.random_color') : t('challenge.you_play', { color: t(`color.${color}`) }),
  );
  return parts.join(' · ');
}

/** What kind of game a seek offers: `GMO chess · Blitz · Rated`. */
export function seekText(seek: Pick<Challenge, 'variant' | 'time' | 'rated'>): string {
  const parts = seek.variant === 'standard' ? [] : [t(`variant.${seek.variant}`)];
  return [...parts, t(speedName(seek.time)), seek.rated ? t('game.rated') : t('game.casual')].join(' · ');
}

/** The colour that is left for the other. */
export function seenFromAcross(color: ColorChoice): ColorChoice {
  return color === 'random' ? 'random' : otherColor(color);
}

/** Whom a seek is for: `1400–1600`, `1400+`, `up to 1600`, or nothing. */
export function rangeText({
  lowest_rating,
  highest_rating,
}: Pick<Challenge, 'lowest_rating' | 'highest_rating'>): string {
  if (lowest_rating === null && highest_rating === null) return '';
  if (highest_rating === null) return `${lowest_rating}+`;
  return lowest_rating === null ? t('seek.up_to', { rating: highest_rating }) : `${lowest_rating}–${highest_rating}`;
}

/** How long one has waited, how far the search goes and who else waits. */
export function queueWords(place: QueuePlace, since: number): { waited: string; range: string; players: string } {
  return {
    waited: wholeSeconds(place.waited_ms + Math.max(0, since)),
    range: t('queue.range', { range: place.range }),
    players: tn('queue.players', place.players),
  };
}

/** How a game of this length is called: what both sides have for forty moves. */
export function speedName(time: TimeControl): TextKey {
  if (time.kind === 'days') return 'time.days';
  if (time.kind !== 'fischer' && time.kind !== 'stages') return 'time.no_clock';
  const { initial, bonus } = beginning(time);
  const seconds = (initial + 40 * bonus) / 1000;
  if (seconds < 180) return 'time.bullet';
  if (seconds < 480) return 'time.blitz';
  return seconds < 1500 ? 'time.rapid' : 'time.classical';
}

/** What White begins with and what a move earns, in milliseconds. */
function beginning(time: Extract<TimeControl, { kind: 'fischer' | 'stages' }>): { initial: number; bonus: number } {
  if (time.kind === 'fischer') return { initial: time.initial_ms, bonus: time.increment_ms };
  const stage = time.white[0];
  if (stage === undefined) return { initial: 0, bonus: 0 };
  return { initial: stage.time_ms, bonus: stage.bonus.kind === 'none' ? 0 : stage.bonus.ms };
}

/** A field of a request that is only there when something was typed. */
export function numberOrNothing<K extends string>(
  key: K,
  value: number | null | undefined,
): Partial<Record<K, number>> {
  return typeof value === 'number' ? ({ [key]: value } as Record<K, number>) : {};
}
