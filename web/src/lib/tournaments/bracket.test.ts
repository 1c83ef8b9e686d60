import { expect, it } from 'vitest';
import type { BracketView } from '$lib/api/types';
import { placeMatches } from './bracket';

const match = (
  number: number,
  from: Array<number | null>,
  third_place = false,
): BracketView['rounds'][number][number] => ({
  number,
  players: [null, null],
  from,
  score: [],
  winner: null,
  third_place,
});

it('puts each match between the two it comes from, and leaves a gap for a bye', () => {
  const bracket = {
    rounds: [
      [match(1, [null, null]), match(2, [null, null]), match(3, [null, null])],
      [match(1, [null, 1]), match(2, [2, 3])],
      [match(1, [1, 2]), match(2, [1, 2], true)],
    ],
  };
  const { placed, third } = placeMatches(bracket);
  expect(placed.map(({ column, slot, found }) => [column, slot, found.number])).toEqual([
    [0, 1, 1],
    [0, 2, 2],
    [0, 3, 3],
    [1, 0, 1],
    [1, 1, 2],
    [2, 0, 1],
  ]);
  expect(third?.number).toBe(2);
});
