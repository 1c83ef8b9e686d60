// The moves of a game with variations, as pieces of text that can be walked through.
import type { MoveNode } from '$lib/api/types';
import { placed } from '$lib/board/placement';

/** One place in the tree: the position after a move. */
export interface Spot {
  node: MoveNode;
  /** The spots of its line before it, from the first of the game on. */
  before: Spot | null;
  /** The next one in its line. */
  after: Spot | null;
}

/** Links the main line and all variations; gives the spots of the main line. */
export function linkLine(nodes: readonly MoveNode[], before: Spot | null, all: Map<MoveNode, Spot>): Spot[] {
  const spots: Spot[] = [];
  let last = before;
  for (const node of nodes) {
    const spot: Spot = { node, before: last, after: null };
    if (last !== null && spots.length > 0) last.after = spot;
    all.set(node, spot);
    for (const variation of node.variations ?? []) linkLine(variation.moves, last, all);
    spots.push(spot);
    last = spot;
  }
  return spots;
}

/** The square of the king that a move gives check to. */
export function checked(node: MoveNode | undefined): string | null {
  if (node?.check !== true) return null;
  const color = node.fen.split(' ')[1] === 'b' ? 'black' : 'white';
  const king = placed(node.fen).find((piece) => piece.role === 'king' && piece.color === color);
  return king === undefined ? null : `${'abcdefgh'[king.column] ?? ''}${8 - king.row}`;
}

/** What stands before a move: `12.` or `12…`, or nothing after White's move of the same number. */
export function moveNumber(ply: number, isFirst: boolean): string {
  const number = Math.ceil(ply / 2);
  if (ply % 2 === 1) return `${number}.`;
  return isFirst ? `${number}…` : '';
}

/** The time each side has left at a place in the tree: what was last noted on the way there. */
export function clocksAt(spot: Spot | null): { white: number | null; black: number | null } {
  const left: { white: number | null; black: number | null } = { white: null, black: null };
  for (let at = spot; at !== null && (left.white === null || left.black === null); at = at.before) {
    const color = at.node.fen.split(' ')[1] === 'b' ? 'white' : 'black';
    left[color] ??= at.node.clock_ms ?? null;
  }
  return left;
}
