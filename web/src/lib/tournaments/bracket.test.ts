import { expect, it } from 'vitest';
import type { KnockoutMatch } from '$lib/api/types';
import { isDecided, isLevel, placeMatches, undecidedIn } from './bracket';

const match = (number: number, from: Array<number | null>, third_place = false): KnockoutMatch => ({
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

it('is over when the match for the third place is decided too', () => {
  const final = { ...match(1, [1, 2]), players: [1, 2], winner: 1 };
  const third = { ...match(2, [1, 2], true), players: [3, 4] };
  expect(isDecided([final, third])).toBe(false);
  expect(undecidedIn({ rounds: [[match(1, [null, null])], [final, third]] })).toEqual([third]);
  expect(isDecided([final, { ...third, winner: 3 }])).toBe(true);
  expect(isDecided([])).toBe(false);
});

it('is level only when something was played', () => {
  expect(isLevel(match(1, []))).toBe(false);
  expect(isLevel({ ...match(1, []), score: ['½', '½'] })).toBe(true);
  expect(isLevel({ ...match(1, []), score: ['1', '0'] })).toBe(false);
});
