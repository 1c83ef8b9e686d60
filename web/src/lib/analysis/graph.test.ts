import { expect, it } from 'vitest';
import type { MoveReport } from '$lib/api/types';
import { layOut, nearest } from './graph';

const moves = [80, 20].map((win, i) => ({ ply: i + 1, win }) as MoveReport);

it('draws White’s chances from the bottom up', () => {
  const graph = layOut({ start_win: 50, moves }, 200, 100);
  expect(graph.places.map(({ moves: count, x, y }) => [count, x, Math.round(y)])).toEqual([
    [0, 0, 50],
    [1, 100, 20],
    [2, 200, 80],
  ]);
  expect(graph.line).toBe('M0.0 50.0L100.0 20.0L200.0 80.0');
});

it('finds the move one points at', () => {
  const graph = layOut({ start_win: 50, moves }, 200, 100);
  expect(nearest(graph, 140)?.moves).toBe(1);
  expect(nearest(graph, 160)?.moves).toBe(2);
});
