// One player's attempt at a prepared position: what its page knows from the game alone.
import type { GameView } from '$lib/api/types';
import { SHELF } from './shelf';

/** Whether a game is one player's: only the computer's king stood when it began. */
export function isAttempt(view: Pick<GameView, 'variant' | 'start_fen'>): boolean {
  const [white, black] = (view.start_fen.split(' ')[6] ?? 'K/K').split('/');
  return view.variant === 'defender' && (white === 'K') !== (black === 'K');
}

/** Points the player has spent: the computer places nothing. */
export function spent(moves: readonly Pick<GameView['moves'][number], 'uci'>[]): number {
  const cost = (uci: string): number =>
    uci[1] === '@' ? (SHELF.find(({ letter }) => letter === uci[0])?.cost ?? 0) : 0;
  return moves.reduce((sum, { uci }) => sum + cost(uci), 0);
}
