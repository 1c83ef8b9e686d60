import { expect, test } from 'vitest';
import type { Color, MoveView } from '$lib/api/types';
import { canGoBack, canTakeBack } from './takeback';

/** White asks after these moves. */
function check(played: string, to_act: Color | null, expected: boolean, takebacks = true) {
  const moves = played.split(' ').map((uci) => ({ uci }) as MoveView);
  expect(canTakeBack({ takebacks, ply: moves.length, moves, you: 'white', to_act })).toBe(expected);
}

test('the own last move can be taken back, and the answer with it', () => {
  check('e2e4', 'black', true);
  check('e2e4 e7e5', 'white', true);
  check('e2e4 e7e5', null, false);
  check('e2e4 e7e5', 'white', false, false);
});

test('a move that was not made yet cannot be taken back', () => {
  // Black began.
  check('e7e5', 'white', false);
});

test('placed pieces stay where they are', () => {
  const placed = 'N@f3 R@d8 P@e2 -- K@g1 K@g8';
  check('N@f3', 'black', false);
  check('N@f3 R@d8', 'white', false);
  check(placed, 'white', false);
  check(`${placed} f3e5`, 'black', true);
  check(`${placed} f3e5 d8d2`, 'white', true);
  check(`${placed} d8d2`, 'white', false);
});

test('at one computer the last move alone goes back', () => {
  const view = (...played: string[]) => ({
    takebacks: true,
    ply: played.length,
    moves: played.map((uci) => ({ uci }) as MoveView),
  });
  expect(canGoBack(view('e2e4'), 1)).toBe(true);
  expect(canGoBack(view('K@g1', 'K@g8'), 1)).toBe(false);
  expect(canGoBack(view(), 1)).toBe(false);
});
