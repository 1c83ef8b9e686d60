// A lab as a link: what stands on the board and in the editor, in the part of an address that never reaches a server.
import type { LabPiece } from '$lib/api/types';

/** What a link holds. */
export interface SharedLab {
  dna: string;
  pieces: LabPiece[];
}

/** The part behind `#`. Genomes are written once; a piece names them by number, as in game records: `e1w0pk`. */
export function toHash({ dna, pieces }: SharedLab): string {
  const genomes = [...new Set(pieces.map((piece) => piece.dna))];
  const board = pieces.map(
    ({ square, owner, dna: own, pawn, king }) =>
      `${square}${owner === 'white' ? 'w' : 'b'}${genomes.indexOf(own)}${pawn ? 'p' : ''}${king ? 'k' : ''}`,
  );
  return new URLSearchParams({ dna, board: board.join('.'), genomes: genomes.join('.') }).toString();
}

/** What a hash holds, or null if it is none of ours. What cannot be read is left out. */
export function fromHash(hash: string): SharedLab | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const dna = fields.get('dna');
  if (dna === null) return null;
  const genomes = (fields.get('genomes') ?? '').split('.');
  const pieces = (fields.get('board') ?? '').split('.').flatMap((text): LabPiece[] => {
    const [, square, owner, number, pawn, king] = /^([a-h][1-8])([wb])(\d{1,3})(p?)(k?)$/.exec(text) ?? [];
    const own = genomes[Number(number)];
    if (square === undefined || own === undefined || own === '') return [];
    const side = owner === 'w' ? 'white' : 'black';
    return [{ square, owner: side, dna: own, pawn: pawn !== '', king: king !== '', look: 0 }];
  });
  return { dna, pieces };
}
