import { expect, test } from 'vitest';
import { arrowsOf } from './arrows';

const drawn = (...moves: string[]) =>
  arrowsOf(moves, (place) => (place === 0 ? 'best' : 'other')).map(({ from, to, kind }) => `${kind} ${from}${to}`);

test('the first arrow is the best move, and what is no move of a piece has none', () => {
  expect(drawn('e2e4', 'd2d4')).toEqual(['best e2e4', 'other d2d4']);
  expect(drawn('N@f3', 'e2e4')).toEqual(['other e2e4']);
});

test('a pawn that may become several pieces has one arrow', () => {
  expect(drawn('e7e8q', 'e7e8r', 'e7e8b', 'e7e8n', 'h1g1')).toEqual(['best e7e8', 'other h1g1']);
});
