import { expect, test } from 'vitest';
import { parseDests } from './dests';
import { placed, squareAt } from './placement';

function checkDests(text: string, dests: Record<string, string[]>) {
  expect(Object.fromEntries(parseDests(text))).toEqual(dests);
}

test('legal moves are grouped by origin', () => {
  checkDests('e2e3e4 g1f3h3', { e2: ['e3', 'e4'], g1: ['f3', 'h3'] });
  checkDests('a7a8', { a7: ['a8'] });
  checkDests('', {});
});

test('a FEN places its pieces', () => {
  const pieces = placed('r6k/8/8/8/3P4/8/8/K7 w - - 0 1');
  expect(pieces).toEqual([
    { role: 'rook', color: 'black', column: 0, row: 0 },
    { role: 'king', color: 'black', column: 7, row: 0 },
    { role: 'pawn', color: 'white', column: 3, row: 4 },
    { role: 'king', color: 'white', column: 0, row: 7 },
  ]);
});

test('the start position has 32 pieces', () => {
  expect(placed('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1')).toHaveLength(32);
});

test('squares are named by file and rank', () => {
  expect(squareAt('a8')).toEqual({ column: 0, row: 0 });
  expect(squareAt('d4')).toEqual({ column: 3, row: 4 });
});
