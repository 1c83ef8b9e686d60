import { expect, it } from 'vitest';
import { colorOf, piecesOf, readSetUp, roleOf, squareName, writeSetUp } from './setup';

it('reads a position and writes it again', () => {
  for (const fen of [
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    '8/8/8/4k3/8/8/4P3/4K3 b - - 0 1',
    'r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1',
  ]) {
    expect(writeSetUp(readSetUp(fen))).toBe(fen);
  }
});

it('names squares from the upper left', () => {
  expect([0, 7, 8, 63].map(squareName)).toEqual(['a8', 'h8', 'a7', 'h1']);
});

it('knows the pieces by their letters', () => {
  expect(piecesOf('white').join('')).toBe('KQRBNP');
  expect([colorOf('n'), roleOf('n'), colorOf('Q'), roleOf('Q')]).toEqual(['black', 'knight', 'white', 'queen']);
});
