// Scores in words and shares, from White's side as the server tells them.
import type { Score } from '$lib/api/types';
import { t } from '$lib/ui/text';

/** `+0.35`, `-1.20`, `#3`, `#-2`; `1-0` when the game is over. */
export function scoreWord(score: Score): string {
  if (score.kind === 'won') return score.value === 'white' ? '1-0' : '0-1';
  if (score.kind === 'mate') return `#${score.value}`;
  const pawns = (Math.abs(score.value) / 100).toFixed(2);
  return `${score.value < 0 ? '−' : '+'}${pawns}`;
}

/** `White’s chances 62 %`. */
export const winWords = (win: number): string => t('analysis.win', { percent: Math.round(win) });

/** White's share of the score bar, 0 to 100: the chance to win, by the curve the reports use. */
export function whiteShare(score: Score): number {
  if (score.kind === 'won') return score.value === 'white' ? 100 : 0;
  if (score.kind === 'mate') return score.value > 0 ? 100 : 0;
  const centipawns = Math.max(-1000, Math.min(1000, score.value));
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * centipawns)) - 1);
}

/** `1.2 M`, `340 k`, `87`. */
export function countWord(count: number): string {
  if (count >= 1_000_000) return `${(count / 1_000_000).toFixed(1)} M`;
  return count >= 1_000 ? `${Math.round(count / 1_000)} k` : String(count);
}
