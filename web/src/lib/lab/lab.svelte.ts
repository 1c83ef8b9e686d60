// The lab of one tab: a board without rules of turn, the DNA in the editor, and the way back.
import { ApiError } from '$lib/api/client';
import { explainDna, getGenome, getPreset, labMove, labTargets, mutateDna } from '$lib/api/gmo';
import type { Color, Explanation, GenomeView, LabBoard, LabPiece, LabPlayed } from '$lib/api/types';
import type { FacePiece } from '$lib/gmo/faces';
import { fromHash } from './share';

export type Tool = 'move' | 'place' | 'erase' | 'king';

/** Whether a code names no genome, though it may name a preset. */
const isNoGenome = ({ code }: ApiError): boolean => code === 'S_NOT_FOUND' || code === 'S_CODE_FORMAT';

/** How many boards one can go back. */
const MOST_UNDONE = 100;

export class Lab {
  /** What stands on the board, with its pictures as far as the server has told them. */
  board = $state.raw<LabBoard>({ pieces: [], targets: '' });
  /** What the last move did. */
  played = $state.raw<LabPlayed | null>(null);
  last = $state.raw<readonly string[] | null>(null);
  tool = $state<Tool>('place');
  owner = $state<Color>('white');
  isPawn = $state(false);
  dna = $state('');
  explanation = $state.raw<Explanation | null>(null);
  /** From where the walks are shown. */
  origin = $state('d4');
  #past: LabBoard[] = $state.raw([]);
  #asked = 0;

  constructor(private readonly failed: (error: unknown) => void) {}

  /** The pieces as a board draws them. */
  faces = $derived(
    this.board.pieces.map(({ square, owner, look, pawn, king }): FacePiece => ({
      square,
      owner,
      look,
      isPawn: pawn,
      isKing: king,
    })),
  );

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** What the DNA in the editor makes, if it makes anything. */
  get genome(): NonNullable<Explanation['genome']> | null {
    return this.explanation?.genome ?? null;
  }

  /** Whether the server tells that a DNA is right and nothing else. */
  get isSilent(): boolean {
    return this.genome !== null && this.explanation?.codons.length === 0;
  }

  get isValid(): boolean {
    return this.genome !== null;
  }

  /** Reads the DNA anew; of several questions on their way only the last answer counts. */
  async write(dna: string): Promise<void> {
    this.dna = dna;
    await this.#explain();
  }

  async look(origin: string): Promise<void> {
    this.origin = origin;
    await this.#explain();
  }

  async #explain(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const explanation = await explainDna(this.dna, this.origin);
      if (asked === this.#asked) this.explanation = explanation;
    } catch (error) {
      this.failed(error);
    }
  }

  /** A square was pressed with the tool in hand. */
  async press(square: string): Promise<void> {
    const others = this.board.pieces.filter((piece) => piece.square !== square);
    const there = this.board.pieces.find((piece) => piece.square === square);
    if (this.tool === 'place' && this.genome !== null) {
      const { dna, look } = this.genome;
      await this.lay([...others, { square, owner: this.owner, dna, pawn: this.isPawn, king: false, look }]);
    } else if (this.tool === 'erase' && there !== undefined) {
      await this.lay(others);
    } else if (this.tool === 'king' && there !== undefined) {
      await this.lay([...others, { ...there, king: !there.king }]);
    }
  }

  /** Puts these pieces on the board; the one before can be had back. */
  async lay(pieces: readonly LabPiece[]): Promise<void> {
    try {
      const next = await labTargets(pieces);
      this.#remember();
      this.board = next;
      this.played = null;
      this.last = null;
    } catch (error) {
      this.failed(error);
    }
  }

  async move(uci: string): Promise<void> {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    try {
      const played = await labMove(this.board.pieces, from, to);
      this.#remember();
      this.board = played;
      this.played = played;
      this.last = [from, played.landing];
    } catch (error) {
      this.failed(error);
    }
  }

  /** A pawn that has arrived becomes what the editor holds. */
  async promote(square: string): Promise<void> {
    const { genome } = this;
    if (genome === null) return;
    const pieces = this.board.pieces.map((piece) =>
      piece.square === square ? { ...piece, dna: genome.dna, pawn: false } : piece,
    );
    await this.lay(pieces);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (before === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.board = before;
    this.played = null;
    this.last = null;
  }

  async mutate(): Promise<void> {
    try {
      await this.write((await mutateDna(this.dna)).dna);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Loads a genome into the editor, or the preset of this code onto the board for the side in hand. */
  async load(code: string, pawn?: GenomeView): Promise<void> {
    try {
      const genome = await getGenome(code);
      if (genome.dna === null) this.failed(new Error('private'));
      else await this.write(genome.dna);
    } catch (error) {
      // Genomes and presets have codes of their own kind: what is no genome may be a preset.
      if (error instanceof ApiError && isNoGenome(error)) await this.layOut(code, this.owner, pawn);
      else this.failed(error);
    }
  }

  /** Lays out a preset for a side, pawns in front of it. */
  async layOut(code: string, owner: Color, pawn: GenomeView | undefined): Promise<void> {
    try {
      const preset = await getPreset(code);
      const genomes = await Promise.all(preset.codes.map((each) => getGenome(each)));
      const [back, front] = owner === 'white' ? ['1', '2'] : ['8', '7'];
      const pawnDna = pawn?.dna ?? null;
      const laid = genomes.flatMap(({ dna, look }, i): LabPiece[] => {
        const file = 'abcdefgh'.charAt(i);
        const officer = { square: file + back, owner, pawn: false, king: false, look };
        const first = { square: file + front, owner, pawn: true, king: false, look: pawn?.look ?? 0 };
        return [
          ...(dna === null ? [] : [{ ...officer, dna }]),
          ...(pawnDna === null ? [] : [{ ...first, dna: pawnDna }]),
        ];
      });
      const rest = this.board.pieces.filter(({ square }) => !laid.some((piece) => piece.square === square));
      await this.lay([...rest, ...laid]);
      this.tool = 'move';
    } catch (error) {
      this.failed(error);
    }
  }

  /** Opens what a link holds, or the first example. */
  async open(hash: string, otherwise: string): Promise<void> {
    const shared = fromHash(hash);
    await this.write(shared?.dna ?? otherwise);
    if (shared !== null && shared.pieces.length > 0) await this.lay(shared.pieces);
    this.#past = [];
  }

  #remember(): void {
    this.#past = [...this.#past, this.board].slice(-MOST_UNDONE);
  }
}
