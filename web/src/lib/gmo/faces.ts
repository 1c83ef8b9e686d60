// Reads what the server shows of a GMO position: `faces BOARD TURN PLY PROMOTIONS`.
import type { Color } from '$lib/api/types';

/** A piece as everybody sees it. */
export interface FacePiece {
  square: string;
  owner: Color;
  /** Sixteen bits that choose its face. */
  look: number;
  isPawn: boolean;
  isKing: boolean;
}

/** A GMO position as everybody sees it. */
export interface Faces {
  pieces: FacePiece[];
  /** Squares of pawns that wait to be promoted, the first one first. */
  promotions: string[];
}

/** Whether a position's text is one of GMO. */
export function isFaces(fen: string): boolean {
  return fen.startsWith('faces ');
}

/** The pieces of a position's text. What cannot be read is left out. */
export function readFaces(fen: string): Faces {
  const [, board = '-', , , promotions = '-'] = fen.split(' ');
  const pieces = board.split(',').flatMap((text): FacePiece[] => {
    const match = /^([a-h][1-8])([wb])([0-9a-f]{4})(p?)(k?)$/.exec(text);
    if (match === null) return [];
    const [, square = '', owner, look = '', pawn, king] = match;
    return [
      {
        square,
        owner: owner === 'w' ? 'white' : 'black',
        look: Number.parseInt(look, 16),
        isPawn: pawn !== '',
        isKing: king !== '',
      },
    ];
  });
  return { pieces, promotions: promotions === '-' ? [] : promotions.split(',') };
}

/** What chance added to a move, as the move list writes it: `e2e4>f5~` landed on f5 and mutated. */
export function fateOf(san: string): { landing: string | null; hasMutated: boolean } {
  return { landing: /^[a-h][1-8][a-h][1-8]>([a-h][1-8])/.exec(san)?.[1] ?? null, hasMutated: san.endsWith('~') };
}
