// How far a game can be taken back, as far as its record tells. Whether the other agrees is another matter.
import type { GameView } from '$lib/api/types';

/** Whether so many plies can be taken back. Placed pieces stay where they are (ChessDefender). */
export function canGoBack(
  { takebacks, ply, moves }: Pick<GameView, 'takebacks' | 'ply' | 'moves'>,
  plies: number,
): boolean {
  const placed = moves.findLastIndex(({ uci }) => uci === '--' || uci[1] === '@') + 1;
  return takebacks && ply - plies >= placed;
}

/** Whether I may ask for it: my last move goes, and the other's answer with it. */
export function canTakeBack(view: Pick<GameView, 'takebacks' | 'ply' | 'moves' | 'you' | 'to_act'>): boolean {
  if (view.you === null || view.to_act === null) return false;
  return canGoBack(view, view.to_act === view.you ? 2 : 1);
}
