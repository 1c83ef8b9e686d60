// Where the pieces stand, read from the first field of a FEN. Only for drawing: what may move is the server's business.
import type { BoardSide, Color } from '$lib/api/types';

export type Role = 'king' | 'queen' | 'rook' | 'bishop' | 'knight' | 'pawn';

/** A piece on a square; column 0 is the a-file, row 0 the eighth rank. */
export interface Placed {
  role: Role;
  color: Color;
  column: number;
  row: number;
}

const ROLES: Record<string, Role> = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

/** The pieces of a FEN. Letters nobody knows are left out. */
export function placed(fen: string): Placed[] {
  const rows = (fen.split(' ')[0] ?? '').split('/');
  return rows.flatMap((text, row) => {
    const pieces: Placed[] = [];
    let column = 0;
    for (const letter of text) {
      const role = ROLES[letter.toLowerCase()];
      if (role !== undefined) {
        pieces.push({ role, color: letter === letter.toLowerCase() ? 'black' : 'white', column, row });
      }
      column += Number(letter) || 1;
    }
    return pieces;
  });
}

/** The other side. */
export function otherColor(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}

/** The side at the bottom of a board, as somebody likes it: their own, or always the same. */
export function sideBelow(wish: BoardSide, own: Color | null): Color {
  return wish === 'own' ? (own ?? 'white') : wish;
}

/** Column and row of a square's name, as in [`Placed`]. */
export function squareAt(name: string): { column: number; row: number } {
  return { column: name.charCodeAt(0) - 97, row: 8 - Number(name[1]) };
}

/** What stands on a square, or null. */
export function roleAt(fen: string, square: string): Role | null {
  const { column, row } = squareAt(square);
  return placed(fen).find((piece) => piece.column === column && piece.row === row)?.role ?? null;
}
