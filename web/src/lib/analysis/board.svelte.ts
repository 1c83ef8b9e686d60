// The analysis board as this tab has it: a tree, where one is in it, and what the server says of that position.
import { SvelteMap } from 'svelte/reactivity';
import { getPosition } from '$lib/api/analysis';
import type { Opening, Outcome, PositionQuestion, PositionView, TreeView, Variant } from '$lib/api/types';
import {
  addMove,
  childWith,
  endOf,
  fromView,
  newTree,
  nodeAt,
  nodesTo,
  promoteAt,
  removeAt,
  siblingOf,
  type Path,
  type Tree,
  type TreeNode,
} from './tree';
import type { Draft } from './drafts';

/** The usual first position, as every chess program writes it. */
export const USUAL_START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** Longer ways are told from a later position on: a message has a limit. */
const LONGEST_WAY = 240;

/** The study that is open. */
export interface OpenStudy {
  id: string;
  name: string;
  version: number;
}

/** What the server said of a position. */
interface Known {
  opening: Opening | null;
  outcome: Outcome | null;
}

export class AnalysisBoard {
  tree = $state<Tree>(newTree('standard', null, USUAL_START, ''));
  path = $state.raw<Path>([]);
  /** The study that is open; null for a board that is not kept. */
  study = $state.raw<OpenStudy | null>(null);
  /** Whether something was changed since it was loaded or kept. */
  isChanged = $state(false);
  /** Why there is nothing on the board, in the server's words; null once there is. */
  refusal = $state<string | null>(null);
  /** Counts refused moves: the board is drawn anew. */
  refusals = $state(0);
  #known = new SvelteMap<string, Known>();

  /** The position looked at. */
  node = $derived.by((): TreeNode => nodeAt(this.tree.root, this.path) ?? this.tree.root);
  /** The moves that led there. */
  way = $derived.by((): TreeNode[] => nodesTo(this.tree.root, this.path));
  /** The position, as it is asked about. */
  question = $derived.by((): PositionQuestion => questionOf(this.tree, this.way));
  /** The last opening with a name on the way. */
  opening = $derived.by((): Opening | null => this.#known.get(keyOf(this.question))?.opening ?? null);
  /** How the position ends the game; null while it goes on or is not known. */
  outcome = $derived.by((): Outcome | null => this.#known.get(keyOf(this.question))?.outcome ?? null);

  /** Begins anew from a position. */
  async setUp(variant: Variant, start: string | null): Promise<void> {
    (await this.prepare(variant, start))();
  }

  /** Has a position looked at; what it gives begins anew from there. The server says which game it is. */
  async prepare(variant: Variant, start: string | null): Promise<() => void> {
    const view = await getPosition({ variant, start });
    const first = start === null ? null : view.start_fen;
    return () => {
      this.#open(newTree(view.variant, first, view.start_fen, view.start_dests));
      this.#learn(this.question, view);
    };
  }

  /** Shows a board as it was left. */
  restore({ tree, path, study }: Draft): void {
    this.#open(tree);
    this.study = study;
    this.isChanged = true;
    this.go(path);
  }

  /** Adds moves from the first position on that are not there yet; gives the way to the last of them. */
  graft(moves: readonly TreeNode[]): Path {
    return moves.reduce<Path>((path, move) => addMove(this.tree.root, path, move), []);
  }

  /** Shows a tree from its first position, or from the end of the main line. */
  load(view: TreeView, study: OpenStudy | null = null): void {
    this.#open(fromView(view, USUAL_START));
    this.study = study;
  }

  /** Makes a move from the position looked at; the server says whether it can be made. */
  async play(uci: string): Promise<void> {
    const known = childWith(this.tree.root, this.path, uci);
    if (known !== null) {
      this.path = known;
      return;
    }
    const { path, question, tree } = this;
    const asked = { ...question, moves: [...question.moves, uci] };
    try {
      const view = await getPosition(asked);
      const move = view.moves.at(-1);
      if (move === undefined || tree !== this.tree) return;
      const { san, fen, check } = move;
      this.path = addMove(this.tree.root, path, { uci: move.uci, san, fen, check, dests: view.dests });
      this.isChanged = true;
      this.#learn(this.question, view);
    } catch (error) {
      this.refusals += 1;
      throw error;
    }
  }

  /** Plays the first moves of a line one after the other. */
  async playLine(moves: readonly string[]): Promise<void> {
    for (const uci of moves) await this.play(uci);
  }

  /** Asks the server what it knows of the position looked at, once. */
  async look(): Promise<void> {
    const { question } = this;
    if (this.#known.has(keyOf(question))) return;
    this.#learn(question, await getPosition(question));
  }

  go(path: Path): void {
    if (nodeAt(this.tree.root, path) !== null) this.path = path;
  }

  back(): void {
    this.go(this.path.slice(0, -1));
  }

  forth(): void {
    this.go([...this.path, 0]);
  }

  toStart(): void {
    this.go([]);
  }

  toEnd(): void {
    this.go(endOf(this.tree.root, this.path));
  }

  /** The next variation at this place. */
  aside(step: number): void {
    const other = siblingOf(this.tree.root, this.path, step);
    if (other !== null) this.go(other);
  }

  promote(): void {
    this.path = promoteAt(this.tree.root, this.path);
    this.isChanged = true;
  }

  remove(): void {
    if (this.path.length === 0) return;
    this.path = removeAt(this.tree.root, this.path);
    this.isChanged = true;
  }

  comment(text: string): void {
    this.node.comments = text.trim() === '' ? [] : [text];
    this.isChanged = true;
  }

  /** Sets a glyph, or takes it away when it is there. One judgement of the move, one of the position. */
  mark(nag: number): void {
    const isOfMove = (other: number): boolean => other <= 9;
    const others = this.node.nags.filter((other) => isOfMove(other) !== isOfMove(nag));
    this.node.nags = this.node.nags.includes(nag) ? others : [...others, nag].sort((a, b) => a - b);
    this.isChanged = true;
  }

  #open(tree: Tree): void {
    this.tree = tree;
    this.path = [];
    this.study = null;
    this.isChanged = false;
    this.refusal = null;
  }

  #learn(question: PositionQuestion, { opening, outcome }: PositionView): void {
    this.#known.set(keyOf(question), { opening, outcome });
  }
}

/** A position by the way that leads to it. A way through a pass, or a very long one, is told from there on. */
export function questionOf(tree: Pick<Tree, 'variant' | 'start'>, way: readonly TreeNode[]): PositionQuestion {
  const pass = way.findLastIndex((node) => node.uci === '--');
  const from = Math.max(pass + 1, way.length > LONGEST_WAY ? way.length - LONGEST_WAY / 2 : 0);
  const start = from === 0 ? tree.start : (way[from - 1]?.fen ?? tree.start);
  return { variant: tree.variant, start, game: null, ply: null, moves: way.slice(from).map((node) => node.uci) };
}

const keyOf = (question: PositionQuestion): string => JSON.stringify(question);
