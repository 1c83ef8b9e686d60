// What has been taken and who has more, counted from two positions. For the eye only.
import type { Color } from '$lib/api/types';
import { otherColor, placed, type Role } from './placement';

/** Points as beginners learn them; a king has none. */
const POINTS: Record<Role, number> = { king: 0, pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9 };
const ORDER: readonly Role[] = ['pawn', 'knight', 'bishop', 'rook', 'queen'];

/** What one side has won. */
export interface Trophies {
  /** The other side's pieces that are gone, pawns first. */
  taken: Role[];
  /** By how many points this side is ahead; 0 when it is not. */
  ahead: number;
}

/** What `color` has taken between the first position and this one. */
export function trophies(start: string, fen: string, color: Color): Trophies {
  const before = countOf(start, otherColor(color));
  const now = countOf(fen, otherColor(color));
  // A promoted pawn is not taken: every piece beyond the first set was a pawn.
  const promoted = ORDER.slice(1).reduce((sum, role) => sum + Math.max(0, now[role] - before[role]), 0);
  const taken = ORDER.flatMap((role) => {
    const gone = before[role] - now[role] - (role === 'pawn' ? promoted : 0);
    return Array.from({ length: Math.max(0, gone) }, () => role);
  });
  return { taken, ahead: Math.max(0, points(countOf(fen, color)) - points(now)) };
}

function countOf(fen: string, color: Color): Record<Role, number> {
  const count: Record<Role, number> = { king: 0, pawn: 0, knight: 0, bishop: 0, rook: 0, queen: 0 };
  for (const piece of placed(fen)) if (piece.color === color) count[piece.role] += 1;
  return count;
}

function points(count: Record<Role, number>): number {
  return ORDER.reduce((sum, role) => sum + POINTS[role] * count[role], 0);
}
