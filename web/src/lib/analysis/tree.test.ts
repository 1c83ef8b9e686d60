import { describe, expect, it } from 'vitest';
import type { TreeView } from '$lib/api/types';
import {
  addMove,
  endOf,
  fromView,
  isMain,
  newTree,
  nodeAt,
  nodesTo,
  numberBefore,
  promoteAt,
  removeAt,
  siblingOf,
  toView,
  type NewMove,
  type Tree,
} from './tree';

const move = (uci: string): NewMove => ({ uci, san: uci, fen: `after ${uci}`, check: null, dests: '' });

/** e2e4 e7e5, with d2d4 d7d5 beside the first and c7c5 beside the second. */
function sample(): Tree {
  const tree = newTree('standard', null, 'start', '');
  const e4 = addMove(tree.root, [], move('e2e4'));
  addMove(tree.root, e4, move('e7e5'));
  addMove(tree.root, e4, move('c7c5'));
  addMove(tree.root, addMove(tree.root, [], move('d2d4')), move('d7d5'));
  return tree;
}

const line = (tree: Tree, path: readonly number[]): string =>
  nodesTo(tree.root, path)
    .map((node) => node.uci)
    .join(' ');

describe('a tree of variations', () => {
  it('keeps a move that is known and adds one that is not', () => {
    const tree = sample();
    expect(addMove(tree.root, [], move('e2e4'))).toEqual([0]);
    expect(addMove(tree.root, [0], move('e7e6'))).toEqual([0, 2]);
    expect(line(tree, [0, 2])).toBe('e2e4 e7e6');
  });

  it('goes to the end of a line and round its variations', () => {
    const { root } = sample();
    expect(endOf(root, [])).toEqual([0, 0]);
    expect(endOf(root, [1])).toEqual([1, 0]);
    expect(siblingOf(root, [0, 1], 1)).toEqual([0, 0]);
    expect(siblingOf(root, [0], -1)).toEqual([1]);
    expect(siblingOf(root, [1, 0], 1)).toBeNull();
    expect(nodeAt(root, [5])).toBeNull();
  });

  it('makes a variation the line and keeps looking at the same position', () => {
    const tree = sample();
    const path = promoteAt(tree.root, [1, 0]);
    expect(path).toEqual([0, 0]);
    expect(line(tree, path)).toBe('d2d4 d7d5');
    expect(isMain(path)).toBe(true);
    expect(line(tree, [1, 1])).toBe('e2e4 c7c5');
  });

  it('loses a move with all that follows', () => {
    const tree = sample();
    expect(removeAt(tree.root, [0])).toEqual([]);
    expect(line(tree, endOf(tree.root, []))).toBe('d2d4 d7d5');
  });

  it('is told to the server and comes back the same', () => {
    const tree = sample();
    const black = nodeAt(tree.root, [0, 1]);
    if (black === null) throw new Error('the move is there');
    black.comments = ['sharp'];
    black.nags = [5];
    const told = toView(tree);
    expect(told.line.moves.map(({ uci }) => uci)).toEqual(['e2e4', 'e7e5']);
    expect(told.line.moves[0]?.variations[0]?.moves.map(({ uci }) => uci)).toEqual(['d2d4', 'd7d5']);
    expect(told.line.moves[1]?.variations[0]?.moves[0]?.notes.nags).toEqual([5]);
    const again = fromView(told as TreeView, 'start');
    expect(toView(again)).toEqual(told);
  });

  it('numbers moves as a score sheet does', () => {
    expect(numberBefore('8/8/8/8/8/8/8/8 w - - 0 12', false)).toBe('12.');
    expect(numberBefore('8/8/8/8/8/8/8/8 b - - 0 12', false)).toBe('');
    expect(numberBefore('8/8/8/8/8/8/8/8 b - - 0 12', true)).toBe('12…');
  });
});
