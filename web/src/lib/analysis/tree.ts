// A tree of variations as the page holds it: nodes with children, the first child goes on with the line. Pure: moves,
// positions and notation come from the server.
import type { LineView, TreeMove, TreeView, Variant } from '$lib/api/types';

/** What is known of a position that was reached by a move. */
export interface NewMove {
  uci: string;
  san: string;
  fen: string;
  check: string | null;
  dests: string;
}

/** A position and what is said of it. The root is the first position, before any move. */
export interface TreeNode extends NewMove {
  /** What is said before the move, at the beginning of a line. */
  before: string[];
  comments: string[];
  /** Glyphs by their number. */
  nags: number[];
  clockMs: number | null;
  shapes: string[];
  /** What follows; the first goes on with the line, the others are variations. */
  children: TreeNode[];
}

/** The way from the root to a node: which child each time. */
export type Path = readonly number[];

/** A tree with what belongs to all of it. */
export interface Tree {
  variant: Variant;
  /** The first position; null for the usual one. */
  start: string | null;
  tags: Array<[string, string]>;
  result: string;
  root: TreeNode;
}

/** A tree of one position. */
export function newTree(variant: Variant, start: string | null, fen: string, dests: string): Tree {
  const root = newNode({ uci: '', san: '', fen, check: null, dests });
  return { variant, start, tags: [], result: '*', root };
}

export function newNode(move: NewMove): TreeNode {
  return { ...move, before: [], comments: [], nags: [], clockMs: null, shapes: [], children: [] };
}

/** The node a path leads to, or null. */
export function nodeAt(root: TreeNode, path: Path): TreeNode | null {
  return nodesTo(root, path).at(-1) ?? (path.length === 0 ? root : null);
}

/** The nodes on the way, the root left out; empty if the path leads nowhere. */
export function nodesTo(root: TreeNode, path: Path): TreeNode[] {
  const nodes: TreeNode[] = [];
  let node: TreeNode | undefined = root;
  for (const index of path) {
    node = node.children[index];
    if (node === undefined) return [];
    nodes.push(node);
  }
  return nodes;
}

/** The child with this move, as a path; null if there is none. */
export function childWith(root: TreeNode, path: Path, uci: string): Path | null {
  const index = nodeAt(root, path)?.children.findIndex((child) => child.uci === uci) ?? -1;
  return index < 0 ? null : [...path, index];
}

/** Adds a move where it is not known yet; gives the way to it. */
export function addMove(root: TreeNode, path: Path, move: NewMove): Path {
  const known = childWith(root, path, move.uci);
  if (known !== null) return known;
  const node = nodeAt(root, path);
  if (node === null) return path;
  node.children.push(newNode(move));
  return [...path, node.children.length - 1];
}

/** Takes a move and all that follows away; gives the way to the position before it. */
export function removeAt(root: TreeNode, path: Path): Path {
  const parent = path.slice(0, -1);
  const index = path.at(-1);
  if (index !== undefined) nodeAt(root, parent)?.children.splice(index, 1);
  return parent;
}

/** Makes the last variation on the way the line it deviates from; gives the new way to the same position. */
export function promoteAt(root: TreeNode, path: Path): Path {
  const at = path.findLastIndex((index) => index > 0);
  const parent = at < 0 ? null : nodeAt(root, path.slice(0, at));
  const index = path[at];
  if (parent === null || index === undefined) return path;
  const [promoted] = parent.children.splice(index, 1);
  if (promoted !== undefined) parent.children.unshift(promoted);
  return [...path.slice(0, at), 0, ...path.slice(at + 1)];
}

/** The way to the end of the line a path is on. */
export function endOf(root: TreeNode, path: Path): Path {
  const way = [...path];
  let node = nodeAt(root, path);
  while (node !== null && node.children.length > 0) {
    way.push(0);
    node = node.children[0] ?? null;
  }
  return way;
}

/** The next variation at the same place, round in a circle; null if there is no other. */
export function siblingOf(root: TreeNode, path: Path, step: number): Path | null {
  const index = path.at(-1);
  const count = nodeAt(root, path.slice(0, -1))?.children.length ?? 0;
  if (index === undefined || count < 2) return null;
  return [...path.slice(0, -1), (index + step + count) % count];
}

/** Whether a path is on the main line. */
export const isMain = (path: Path): boolean => path.every((index) => index === 0);

/** The number of a move as a score sheet writes it, from the position before it: `12.` or `12…`. */
export function numberBefore(fen: string, isFirst: boolean): string {
  const fields = fen.split(' ');
  const number = fields[5] ?? '1';
  if (fields[1] === 'w') return `${number}.`;
  return isFirst ? `${number}…` : '';
}

/** A tree as the server tells it. */
export function fromView(view: TreeView, startFen: string): Tree {
  const tree = newTree(view.variant, view.start, view.start ?? startFen, view.dests);
  tree.tags = view.tags.map(([name, value]) => [name, value]);
  tree.result = view.result;
  tree.root.comments = [...view.line.notes.comments];
  tree.root.shapes = [...view.line.notes.shapes];
  grow(tree.root, view.line.moves);
  return tree;
}

function grow(from: TreeNode, moves: readonly TreeMove[]): void {
  let parent = from;
  for (const move of moves) {
    const node = nodeOf(move);
    parent.children.push(node);
    for (const variation of move.variations) {
      const first = parent.children.length;
      grow(parent, variation.moves);
      const begun = parent.children[first];
      if (begun !== undefined) begun.before = [...variation.notes.comments];
    }
    parent = node;
  }
}

function nodeOf({ uci, san, fen, check, dests, notes }: TreeMove): TreeNode {
  return {
    ...newNode({ uci, san, fen, check, dests }),
    comments: [...notes.comments],
    nags: [...notes.nags],
    clockMs: notes.clock_ms,
    shapes: [...notes.shapes],
  };
}

/** The tree as the server reads it. */
export function toView(tree: Tree): TreeView {
  const { variant, start, tags, result, root } = tree;
  const line = lineFrom(root);
  line.notes = { comments: root.comments, nags: [], clock_ms: null, shapes: root.shapes };
  return { variant, start, tags, result, line, dests: '', problems: [] };
}

/** What follows a node: its first child and so on, the other children as variations. */
function lineFrom(node: TreeNode): LineView {
  const moves: TreeMove[] = [];
  let parent = node;
  for (let next = parent.children[0]; next !== undefined; next = parent.children[0]) {
    const others = parent.children.slice(1);
    moves.push({ ...moveOf(next), variations: others.map(variationOf) });
    parent = next;
  }
  return { notes: { comments: [], nags: [], clock_ms: null, shapes: [] }, moves };
}

function variationOf(node: TreeNode): LineView {
  const rest = lineFrom(node);
  rest.moves.unshift({ ...moveOf(node), variations: [] });
  rest.notes.comments = node.before;
  return rest;
}

/** Only what the server reads: the rest it knows. */
function moveOf({ uci, comments, nags, clockMs, shapes }: TreeNode): TreeMove {
  const notes = { comments, nags, clock_ms: clockMs, shapes };
  return { uci, san: '', fen: '', check: null, dests: '', notes, variations: [] };
}
