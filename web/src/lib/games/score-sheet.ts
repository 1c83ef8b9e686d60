// The moves of a game as they stand on a score sheet: a number, a cell for White, a cell for Black.
import type { MoveView } from '$lib/api/types';

/** A line of the sheet: which moves of the game stand in its cells. */
export interface SheetRow {
  number: number;
  white: number[];
  black: number[];
}

/** Whether an entry is a promotion of GMO: it belongs to a move and is none itself. */
const isPromotion = ({ uci }: Pick<MoveView, 'uci'>): boolean => uci.startsWith('=');

/** The number of the first line: the sixth field of a FEN. Positions that are written otherwise begin with the first. */
const firstNumber = (start: string): number => Number(start.split(' ')[5]) || 1;

/**
 * The lines of a game, numbered from what its first position says. Black may have begun, and a promotion stands in the
 * cell of whoever chose it.
 */
export function rowsOf(start: string, moves: readonly Pick<MoveView, 'by' | 'uci'>[]): SheetRow[] {
  const first = firstNumber(start);
  const rows: SheetRow[] = [];
  let hasBlackMoved = false;
  for (const [index, move] of moves.entries()) {
    const isMove = !isPromotion(move);
    // White opens a line; so does Black where it has moved in this one already.
    if (rows.length === 0 || (isMove && (move.by === 'white' || hasBlackMoved))) {
      rows.push({ number: first + rows.length, white: [], black: [] });
      hasBlackMoved = false;
    }
    rows.at(-1)?.[move.by].push(index);
    hasBlackMoved ||= isMove && move.by === 'black';
  }
  return rows;
}
