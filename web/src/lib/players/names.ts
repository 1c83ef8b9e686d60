// What pools, results and dates of a history are called.
import type { Color, GameSummary } from '$lib/api/types';
import { timeControlText } from '$lib/games/time';
import { t, tOr } from '$lib/ui/text';

/** The variants and speeds a pool can have, in the order in which they are offered. */
export const VARIANTS = ['standard', 'chess960', 'defender', 'gmo'] as const;
export const SPEEDS = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence'] as const;

/** How fast a pool is: its speed alone for chess, with the variant before it otherwise. */
export function poolName(pool: { variant: string; speed: string }): string {
  const speed = speedName(pool.speed);
  return pool.variant === 'standard' ? speed : `${variantName(pool.variant)} · ${speed}`;
}

export function speedName(speed: string): string {
  return tOr(`players.speed.${speed}`, 'players.speed.other', { speed });
}

export function variantName(variant: string): string {
  return tOr(`players.variant.${variant}`, 'players.variant.other', { variant });
}

/** Which side a player had, by name; White for somebody who is not there. */
export function sideOf(game: GameSummary, name: string): Color {
  return game.players.black.name.toLowerCase() === name.toLowerCase() ? 'black' : 'white';
}

/** How the game ended for a side. */
export function resultFor(game: GameSummary, side: Color): 'won' | 'drawn' | 'lost' {
  if (game.outcome.kind !== 'win') return 'drawn';
  return game.outcome.winner === side ? 'won' : 'lost';
}

/** `Rated blitz · 3+2`. */
export function kindText(game: GameSummary): string {
  const rated = game.rated ? t('players.rated') : t('players.casual');
  const parts = [rated, ...(game.variant === 'standard' ? [] : [variantName(game.variant)])];
  if (game.speed !== null) parts.push(speedName(game.speed));
  const time = game.time.kind === 'unlimited' ? t('time.no_clock') : timeControlText(game.time);
  return time === '' ? parts.join(' · ') : `${parts.join(' · ')} · ${time}`;
}

/** A change of rating with its sign; a real minus, so that it is as wide as the plus. */
export function changeText(change: number): string {
  if (change === 0) return '±0';
  return change > 0 ? `+${change}` : `−${-change}`;
}

/** The day, as the reader's country writes it. */
export function dateText(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);
}

/** Moves as people count them: a move is one of White and one of Black. */
export function moveCount(plies: number): number {
  return Math.ceil(plies / 2);
}
