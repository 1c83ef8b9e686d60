import { expect, test } from 'vitest';
import { isPlacing, mayFinish, pointsOf, squaresFor } from './shelf';

const DESTS = 'P@a2b2 N@a1b1c1 --';

test('the shelf tells where a piece may go', () => {
  expect(squaresFor(DESTS, 'P')).toEqual(['a2', 'b2']);
  expect(squaresFor(DESTS, 'Q')).toEqual([]);
});

test('finishing early is offered only where the server says so', () => {
  expect(mayFinish(DESTS)).toBe(true);
  expect(mayFinish('K@a1b1')).toBe(false);
});

test('points stand in the seventh field', () => {
  const fen = '8/8/8/8/8/8/8/8 w - - 0 1 17/K';
  expect(pointsOf(fen, 'white')).toEqual({ points: 17, isCrowned: false });
  expect(pointsOf(fen, 'black')).toEqual({ points: 0, isCrowned: true });
});

test('placing is over when both kings stand', () => {
  const check = (setup: string, expected: boolean) =>
    expect(isPlacing({ variant: 'defender', fen: `8/8/8/8/8/8/8/8 w - - 0 1${setup}` })).toBe(expected);
  check(' 20/20', true);
  check(' K/0', true);
  check(' K/K', false);
  check('', false);
});
