// DNA as people read it, and an army as it is laid out.
import type { Color, GenomeView, LabPiece } from '$lib/api/types';

/** DNA in codons. */
export const spaced = (dna: string): string => dna.match(/.{1,3}/g)?.join(' ') ?? dna;

/** Officers on the back rank of a side and pawns in front of them; what may not be read is left out. */
export function armyOf(officers: readonly GenomeView[], owner: Color, pawn: GenomeView | undefined): LabPiece[] {
  const [back, front] = owner === 'white' ? ['1', '2'] : ['8', '7'];
  const put = (genome: GenomeView | undefined, square: string, isPawn: boolean): LabPiece[] => {
    const { dna = null, look = 0 } = genome ?? {};
    return dna === null ? [] : [{ square, owner, dna, pawn: isPawn, king: false, look }];
  };
  return officers.flatMap((officer, i) => {
    const file = 'abcdefgh'.charAt(i);
    return [...put(officer, file + back, false), ...put(pawn, file + front, true)];
  });
}
