// A position that is being set up, square by square. Whether it can be played from is the server's to say.
import type { Color } from '$lib/api/types';
import { placed, type Role } from './placement';

/** What stands on each square, a8 first; null for nothing. Letters as in a FEN. */
export type Squares = Array<string | null>;

/** Everything a FEN says that can be set here. */
export interface SetUp {
  squares: Squares;
  toMove: Color;
  /** Letters of `KQkq`. */
  castling: string[];
}

const LETTERS: Record<Role, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
const ROLES = Object.keys(LETTERS) as Role[];
export const CASTLING = ['K', 'Q', 'k', 'q'] as const;
/** A board with nothing on it. */
export const EMPTY = '8/8/8/8/8/8/8/8 w - - 0 1';

/** The letter of a piece, as in a FEN. */
export const letterOf = (color: Color, role: Role): string =>
  color === 'white' ? LETTERS[role].toUpperCase() : LETTERS[role];
/** Whose piece a letter is. */
export const colorOf = (letter: string): Color => (letter === letter.toUpperCase() ? 'white' : 'black');
/** Which piece a letter is. */
export const roleOf = (letter: string): Role => ROLES.find((role) => LETTERS[role] === letter.toLowerCase()) ?? 'pawn';
/** The letters of a side's pieces, the king first. */
export const piecesOf = (color: Color): string[] => ROLES.map((role) => letterOf(color, role));

/** The set-up of a FEN. */
export function readSetUp(fen: string): SetUp {
  const squares: Squares = Array.from({ length: 64 }, () => null);
  for (const { role, color, column, row } of placed(fen)) {
    squares[row * 8 + column] = letterOf(color, role);
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
