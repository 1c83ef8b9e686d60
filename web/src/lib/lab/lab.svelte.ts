// The lab of one tab: a board without rules of turn, the DNA in the editor, and the way back.
import { ApiError } from '$lib/api/client';
import { explainDna, getGenome, getPreset, labMove, labTargets, mutateDna } from '$lib/api/gmo';
import type { Color, Explanation, GenomeView, LabBoard, LabPiece, LabPlayed } from '$lib/api/types';
import type { FacePiece } from '$lib/gmo/faces';
import type { TextKey } from '$lib/ui/text';
import { armyOf, spaced } from './pieces';
import { fromHash, type SharedLab } from './share';

export type Tool = 'move' | 'place' | 'erase' | 'king';

/** The board with the pawns that may become something else. */
interface Bench {
  board: LabBoard;
  offered: readonly string[];
}

/** What a step has changed, as it was; what is left out it has not touched. */
interface Step {
  bench?: Bench;
  dna?: string;
}

/** Whether a code names no genome, though it may name a preset. */
const isNoGenome = ({ code }: ApiError): boolean => code === 'S_NOT_FOUND' || code === 'S_CODE_FORMAT';

/** How many steps one can go back. */
const MOST_UNDONE = 100;

export class Lab {
  /** What stands on the board, with its pictures as far as the server has told them. */
  board = $state.raw<LabBoard>({ pieces: [], targets: '' });
  /** Pawns that have arrived and not become anything yet. */
  offered = $state.raw<readonly string[]>([]);
  /** What the last move did. */
  played = $state.raw<LabPlayed | null>(null);
  last = $state.raw<readonly string[] | null>(null);
  /** Where the last move went instead of where it was sent. */
  deviation = $state<string | null>(null);
  tool = $state<Tool>('place');
  owner = $state<Color>('white');
  isPawn = $state(false);
  dna = $state('');
  explanation = $state.raw<Explanation | null>(null);
  /** From where the walks are shown. */
  origin = $state('d4');
  #past: Step[] = $state.raw([]);
  #future: Step[] = $state.raw([]);
  /** The lab's own seed, from which all its chance follows, and its counter of moves. */
  readonly #seed = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  #ply = 0;
  #asked = 0;
  /** The number of the board that is shown: an answer about another one comes too late. */
  #shown = 0;
  /** Moves on their way. Only the server knows what they leave, so what comes after them waits. */
  #moves: Promise<void> = Promise.resolve();

  /** `failed` hears of requests that went wrong, `say` of what cannot be done as things are. */
  constructor(
    private readonly failed: (error: unknown) => void,
    private readonly say: (text: TextKey) => void,
  ) {}

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

  get canRedo(): boolean {
    return this.#future.length > 0;
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

  /** A key was pressed in the editor, which has a way back of its own. */
  async type(dna: string): Promise<void> {
    this.dna = dna;
    await this.#explain();
  }

  /** Puts another text into the editor; the one before can be had back. */
  async write(dna: string): Promise<void> {
    if (dna !== this.dna) this.#remember({ dna: this.dna });
    await this.type(dna);
  }

  async look(origin: string): Promise<void> {
    this.origin = origin;
    await this.#explain();
  }

  /** Reads the DNA anew; of several questions on their way only the last answer counts. */
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
    const { tool, owner, isPawn, genome } = this;
    if (tool === 'place' && genome === null) {
      this.say('lab.needs_genome');
    } else if (tool === 'place' && genome !== null) {
      const { dna, look } = genome;
      const placed = { square, owner, dna, pawn: isPawn, king: false, look };
      await this.lay((pieces) => [...pieces.filter((piece) => piece.square !== square), placed]);
    } else if (tool === 'erase') {
      await this.lay((pieces) => pieces.filter((piece) => piece.square !== square));
    } else if (tool === 'king') {
      await this.lay((pieces) =>
        pieces.map((piece) => (piece.square === square ? { ...piece, king: !piece.king } : piece)),
      );
    }
  }

  /** Changes the board: the pieces are seen at once, where they may go when the server has told. */
  async lay(change: (pieces: readonly LabPiece[]) => LabPiece[]): Promise<void> {
    await this.#moves;
    const before = this.#bench;
    const pieces = change(before.board.pieces);
    if (isSame(pieces, before.board.pieces)) return;
    const offered = before.offered.filter((square) => pieces.some((each) => each.square === square && each.pawn));
    this.#remember({ bench: before });
    if (await this.#show({ board: { pieces, targets: '' }, offered })) return;
    // What the server does not take does not stay.
    this.#past = this.#past.slice(0, -1);
    await this.#show(before);
  }

  async move(uci: string): Promise<void> {
    this.#moves = this.#moves.then(() => this.#move(uci.slice(0, 2), uci.slice(2, 4)));
    await this.#moves;
  }

  async #move(from: string, to: string): Promise<void> {
    const shown = this.#shown;
    try {
      const played = await labMove(this.board.pieces, from, to, { seed: this.#seed, ply: this.#ply });
      // A move that is taken back and made again has a chance of its own: the counter does not go back.
      this.#ply += 1;
      if (shown !== this.#shown) return;
      const others = this.offered.filter((square) => square !== from && square !== played.landing);
      this.#remember({ bench: this.#bench });
      const isShown = this.#show({ board: played, offered: [...others, ...played.promotions] });
      this.played = played;
      this.last = [from, played.landing];
      this.deviation = played.landing === to ? null : played.landing;
      await isShown;
    } catch (error) {
      this.failed(error);
    }
  }

  /** A pawn that has arrived becomes what the editor holds. */
  async promote(square: string): Promise<void> {
    const { genome } = this;
    if (genome === null) {
      this.say('lab.needs_genome');
      return;
    }
    const { dna, look } = genome;
    await this.lay((pieces) =>
      pieces.map((piece) => (piece.square === square ? { ...piece, dna, look, pawn: false } : piece)),
    );
  }

  undo(): void {
    const step = this.#past.at(-1);
    if (step === undefined) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.#asIs(step)];
    this.#go(step);
  }

  redo(): void {
    const step = this.#future.at(-1);
    if (step === undefined) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.#asIs(step)];
    this.#go(step);
  }

  async mutate(): Promise<void> {
    try {
      await this.write(spaced((await mutateDna(this.dna)).dna));
    } catch (error) {
      this.failed(error);
    }
  }

  /** Loads a genome into the editor, or the preset of this code onto the board for the side in hand. */
  async load(code: string, pawn?: GenomeView): Promise<void> {
    try {
      const genome = await getGenome(code);
      if (genome.dna === null) this.say('lab.private');
      else await this.write(spaced(genome.dna));
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
      const laid = armyOf(await Promise.all(preset.codes.map((each) => getGenome(each))), owner, pawn);
      const isFree = ({ square }: LabPiece): boolean => !laid.some((piece) => piece.square === square);
      await this.lay((pieces) => [...pieces.filter(isFree), ...laid]);
      this.tool = 'move';
    } catch (error) {
      this.failed(error);
    }
  }

  /** Opens what a link holds, or the first example. There is nothing to go back to. */
  async open(hash: string, otherwise: string): Promise<void> {
    await this.#unpack(fromHash(hash) ?? { dna: otherwise, pieces: [] });
    [this.#past, this.#future] = [[], []];
  }

  /** Opens another link in the same tab; what was there can be had back. */
  async follow(hash: string): Promise<void> {
    const shared = fromHash(hash);
    if (shared === null) return;
    await this.#moves;
    this.#remember({ bench: this.#bench, dna: this.dna });
    await this.#unpack(shared);
  }

  async #unpack({ dna, pieces }: SharedLab): Promise<void> {
    const isShown = this.#show({ board: { pieces, targets: '' }, offered: [] });
    await this.type(dna);
    // A link may have been written by anybody: what cannot stand on a board is not left there.
    if (!(await isShown)) await this.#show({ board: { pieces: [], targets: '' }, offered: [] });
  }

  get #bench(): Bench {
    return { board: this.board, offered: this.offered };
  }

  /** Shows a board, and asks where its pieces may go if that is not known. Gives whether the server has taken it. */
  async #show({ board, offered }: Bench): Promise<boolean> {
    const shown = ++this.#shown;
    [this.board, this.offered] = [board, offered];
    [this.played, this.last, this.deviation] = [null, null, null];
    if (board.targets !== '' || board.pieces.length === 0) return true;
    try {
      const told = await labTargets(board.pieces);
      if (shown === this.#shown) this.board = told;
      return true;
    } catch (error) {
      this.failed(error);
      return shown !== this.#shown;
    }
  }

  /** A new step: from here on there is nothing to do again. */
  #remember(step: Step): void {
    this.#past = [...this.#past, step].slice(-MOST_UNDONE);
    this.#future = [];
  }

  /** What a step would change, as it is now. */
  #asIs({ bench, dna }: Step): Step {
    return {
      ...(bench === undefined ? {} : { bench: this.#bench }),
      ...(dna === undefined ? {} : { dna: this.dna }),
    };
  }

  #go({ bench, dna }: Step): void {
    if (bench !== undefined) void this.#show(bench);
    if (dna !== undefined) void this.type(dna);
  }
}

const isSame = (some: readonly LabPiece[], others: readonly LabPiece[]): boolean =>
  some.length === others.length && some.every((piece, i) => piece === others[i]);
