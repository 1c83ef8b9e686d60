// Reads what may be placed where from the server's short form: `P@a2b2 N@a1b1 --`.
import type { Color, GameView } from '$lib/api/types';
import { parseDests } from '$lib/board/dests';
import type { Role } from '$lib/board/placement';

export type ShelfLetter = 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';

/** What stands on the shelf, cheapest first, with what it costs. */
export const SHELF: readonly { letter: ShelfLetter; role: Role; cost: number }[] = [
  { letter: 'P', role: 'pawn', cost: 1 },
  { letter: 'N', role: 'knight', cost: 3 },
  { letter: 'B', role: 'bishop', cost: 3 },
  { letter: 'R', role: 'rook', cost: 5 },
  { letter: 'Q', role: 'queen', cost: 9 },
  { letter: 'K', role: 'king', cost: 0 },
];

/** Whether pieces are still being placed. */
export function isPlacing(view: Pick<GameView, 'variant' | 'fen'>): boolean {
  const setup = view.fen.split(' ')[6];
  return view.variant === 'defender' && setup !== undefined && setup !== 'K/K';
}

/** The squares on which a piece of the shelf may be placed. */
export function squaresFor(dests: string, letter: ShelfLetter): string[] {
  return parseDests(dests).get(`${letter}@`) ?? [];
}

/** Whether placing may be finished early. */
export function mayFinish(dests: string): boolean {
  return dests.split(' ').includes('--');
}

/** What a side has left: points, or that its king stands. */
export function pointsOf(fen: string, color: Color): { points: number; isCrowned: boolean } {
  const text = (fen.split(' ')[6] ?? 'K/K').split('/')[color === 'white' ? 0 : 1] ?? 'K';
  return { points: text === 'K' ? 0 : Number(text), isCrowned: text === 'K' };
}
