import { expect, test } from 'vitest';
import { isAttempt, spent } from './attempt';

test('an attempt begins with the king of the computer alone', () => {
  const check = (variant: 'defender' | 'standard', start_fen: string, expected: boolean) =>
    expect(isAttempt({ variant, start_fen })).toBe(expected);
  check('defender', '1bkb4/1rbr4/8/8/8/8/8/8 w - - 0 1 30/K', true);
  check('defender', '8/8/8/8/8/2B5/1B1B4/1RKR4 b - - 0 1 K/30', true);
  check('defender', '8/8/8/8/8/8/8/8 w - - 0 1 20/20', false);
  check('standard', 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', false);
});

test('what was placed was paid, and nothing else', () => {
  expect(spent([])).toBe(0);
  const moves = ['B@f3', '--', 'Q@h1', '--', 'K@e2', '--', 'f3b7'].map((uci) => ({ uci }));
  expect(spent(moves)).toBe(12);
});
