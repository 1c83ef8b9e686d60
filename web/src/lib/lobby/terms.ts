// What is agreed on before a game, in a few words.
import type { Challenge, ColorChoice, QueuePlace, TimeControl } from '$lib/api/types';
import { otherColor } from '$lib/board/placement';
import { dayTerms } from '$lib/correspondence/words';
import { isSlow, timeControlText, wholeSeconds } from '$lib/games/time';
import { speedName as nameOfSpeed } from '$lib/players/names';
import { t, tn, type TextKey } from '$lib/ui/text';

/** A challenge's conditions as the one who is asked reads them: `5+3 · Rated · You play Black`. */
export function termsText(
  challenge: Pick<Challenge, 'time' | 'rated' | 'color' | 'is_mine'> &
    Partial<Pick<Challenge, 'variant' | 'rules' | 'engines'>>,
): string {
  const { variant = 'standard' } = challenge;
  const parts = variant === 'standard' ? [] : [t(`variant.${variant}`)];
  parts.push(
    timeControlText(challenge.time),
    ...dayTerms(challenge.time),
    challenge.rated ? t('game.rated') : t('game.casual'),
  );
  if (challenge.rules === 'fide') parts.push(t('draws.claim_short'));
  if (challenge.engines) parts.push(t('game.engines_allowed'));
  const color = challenge.is_mine ? challenge.color : seenFromAcross(challenge.color);
  parts.push(
    color === 'random' ? t('challenge.random_color') : t('challenge.you_play', { color: t(`color.${color}`) }),
  );
  return parts.join(' · ');
}

/** What kind of game a seek offers: `GMO chess · Blitz · Rated`. */
export function seekText(
  seek: Pick<Challenge, 'variant' | 'time' | 'rated'> & Partial<Pick<Challenge, 'rules' | 'speed' | 'engines'>>,
): string {
  const parts = seek.variant === 'standard' ? [] : [t(`variant.${seek.variant}`)];
  const { speed = null } = seek;
  // The server's own word, where it has said one.
  parts.push(speed === null || isSlow(seek.time) ? t(speedName(seek.time)) : nameOfSpeed(speed));
  parts.push(...dayTerms(seek.time), seek.rated ? t('game.rated') : t('game.casual'));
  if (seek.rules === 'fide') parts.push(t('draws.claim_short'));
  if (seek.engines) parts.push(t('game.engines_allowed'));
  return parts.join(' · ');
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

/** How a game of this length is called, as the server does: by what White has for forty moves, all stages together. */
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
  const initial = time.white.reduce((sum, stage) => sum + stage.time_ms, 0);
  const bonus = time.white[0]?.bonus ?? { kind: 'none' };
  return { initial, bonus: bonus.kind === 'none' ? 0 : bonus.ms };
}

/** A field of a request that is only there when something was typed. */
export function numberOrNothing<K extends string>(
  key: K,
  value: number | null | undefined,
): Partial<Record<K, number>> {
  return typeof value === 'number' ? ({ [key]: value } as Record<K, number>) : {};
}
