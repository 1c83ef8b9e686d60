import { expect, test } from 'vitest';
import type { Color } from '$lib/api/types';
import { trophies } from './material';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

function check(placement: string, color: Color, taken: string, ahead: number) {
  const won = trophies(START, placement, color);
  expect({ taken: won.taken.join(' '), ahead: won.ahead }).toEqual({ taken, ahead });
}

test('nothing is taken at the start', () => {
  check(START, 'white', '', 0);
  check(START, 'black', '', 0);
});

test('what is missing was taken by the other side, pawns first', () => {
  const placement = 'r1bqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBN1';
  check(placement, 'white', 'pawn knight', 0);
  check(placement, 'black', 'rook', 1);
});

test('the side with more points is ahead', () => {
  check('rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR', 'white', 'queen', 9);
});

test('a pawn that became a queen was not taken', () => {
  check('rnbqkbn1/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNQ', 'black', 'rook', 0);
  check('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNQ', 'black', 'rook', 0);
  check('rnbqkbnr/pppppppp/8/8/8/7Q/PPPPPPP1/RNBQKBNR', 'white', '', 8);
});
