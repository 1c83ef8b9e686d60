import { expect, test } from 'vitest';
import { isPlacing, isTooDear, mayFinish, nextPlace, pointsOf, squaresFor } from './shelf';

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

test('what a piece costs decides whether it is too dear, not who is to act', () => {
  expect(isTooDear('Q', 9)).toBe(false);
  expect(isTooDear('Q', 8)).toBe(true);
  expect(isTooDear('K', 0)).toBe(false);
});

test('arrows go to the next square that is free, around what stands in the way', () => {
  const places = ['a1', 'b1', 'd1', 'a2', 'c2'].map((square) => ({
    square,
    x: square.charCodeAt(0) - 97,
    y: 8 - Number(square[1]),
  }));
  const check = (from: string, dx: number, dy: number, expected: string | null) => {
    const place = places.find(({ square }) => square === from);
    if (place === undefined) throw new Error(`${from} is not free`);
    expect(nextPlace(places, place, dx, dy)?.square ?? null).toBe(expected);
  };
  check('a1', 1, 0, 'b1');
  check('b1', 1, 0, 'd1');
  check('b1', 0, -1, 'a2');
  check('d1', 0, -1, 'c2');
  check('a1', -1, 0, null);
  check('a1', 0, 1, null);
});
