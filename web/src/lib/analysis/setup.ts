// A position that is being set up, square by square. Whether it can be played from is the server's to say.
import type { Color } from '$lib/api/types';
import { placed, type Role } from '$lib/board/placement';

/** What stands on each square, a8 first; null for nothing. Letters as in a FEN. */
export type Squares = Array<string | null>;

/** Everything a FEN says that can be set here. */
export interface SetUp {
  squares: Squares;
  toMove: Color;
  /** Letters of `KQkq`. */
  castling: string[];
}

export const LETTERS: Record<Role, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
export const CASTLING = ['K', 'Q', 'k', 'q'] as const;

/** The set-up of a FEN. */
export function readSetUp(fen: string): SetUp {
  const squares: Squares = Array.from({ length: 64 }, () => null);
  for (const { role, color, column, row } of placed(fen)) {
    const letter = LETTERS[role];
    squares[row * 8 + column] = color === 'white' ? letter.toUpperCase() : letter;
  }
  const [, side, castling = '-'] = fen.split(' ');
  return {
    squares,
    toMove: side === 'b' ? 'black' : 'white',
    castling: CASTLING.filter((letter) => castling.includes(letter)),
  };
}

/** The FEN of a set-up. */
export function writeSetUp({ squares, toMove, castling }: SetUp): string {
  const rows = Array.from({ length: 8 }, (_, row) => rowText(squares.slice(row * 8, row * 8 + 8)));
  const rights = CASTLING.filter((letter) => castling.includes(letter)).join('') || '-';
  return `${rows.join('/')} ${toMove === 'white' ? 'w' : 'b'} ${rights} - 0 1`;
}

function rowText(row: Squares): string {
  let [text, empty] = ['', 0];
  for (const piece of row) {
    if (piece === null) {
      empty += 1;
      continue;
    }
    text += (empty > 0 ? String(empty) : '') + piece;
    empty = 0;
  }
  return text + (empty > 0 ? String(empty) : '');
}

/** The name of a square by its place, a8 first. */
export const squareName = (index: number): string => 'abcdefgh'.charAt(index % 8) + String(8 - Math.floor(index / 8));
