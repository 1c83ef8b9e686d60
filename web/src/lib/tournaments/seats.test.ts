import { expect, it } from 'vitest';
import { boardOf, exchange, setByeOf, takeApart, type Seats } from './seats';

const SEATS: Seats = {
  boards: [
    { white: 1, black: 2 },
    { white: 3, black: 4 },
  ],
  byes: [
    { player: 5, bye: 'pairing' },
    { player: 6, bye: 'half' },
  ],
};

it('lets two players change places', () => {
  expect(exchange(SEATS, 1, 4).boards).toEqual([
    { white: 4, black: 2 },
    { white: 3, black: 1 },
  ]);
  expect(exchange(SEATS, 1, 2).boards[0]).toEqual({ white: 2, black: 1 });
});

it('hands a bye on to whoever changes places with its owner', () => {
  const changed = exchange(SEATS, 2, 5);
  expect(changed.boards[0]).toEqual({ white: 1, black: 5 });
  expect(changed.byes[0]).toEqual({ player: 2, bye: 'pairing' });
});

it('pairs two who are free', () => {
  const { boards, byes } = exchange(SEATS, 6, 5);
  expect(boards.at(-1)).toEqual({ white: 6, black: 5 });
  expect(byes).toEqual([]);
});

it('gives byes by hand', () => {
  const apart = takeApart(SEATS, 1);
  expect(apart.boards).toHaveLength(1);
  expect(apart.byes.slice(2)).toEqual([
    { player: 3, bye: 'zero' },
    { player: 4, bye: 'zero' },
  ]);
  expect(setByeOf(apart, 3, 'full').byes[2]).toEqual({ player: 3, bye: 'full' });
  expect([boardOf(SEATS, 4), boardOf(apart, 4)]).toEqual([1, null]);
});
