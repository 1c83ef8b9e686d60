import { expect, test } from 'vitest';
import type { Notation } from '$lib/api/types';
import { translateSan } from './notation';

function check(san: string, notation: Notation, expected: string, before?: string): void {
  expect(translateSan(san, notation, before)).toBe(expected);
}

test('moves are written in the letters of the language', () => {
  check('Nf3', 'en', 'Nf3');
  check('Nf3', 'de', 'Sf3');
  check('Qxh7#', 'pl', 'Hxh7#');
  check('Rad1', 'fr', 'Tad1');
  check('Bb5+', 'figurine', '♗b5+');
});

test('a promotion names its piece, and castling and pawns have no letter', () => {
  check('bxa8=Q', 'cs', 'bxa8=D');
  check('O-O-O', 'es', 'O-O-O');
  check('e4', 'fr', 'e4');
});

test('a letter that two languages share is replaced once', () => {
  // R is the rook in English and the king in French, K the king in both English and German.
  check('Kd2', 'fr', 'Rd2');
  check('Rd2', 'fr', 'Td2');
});

test('a capture en passant is marked where that is the custom', () => {
  const passing = '8/8/8/3pP3/8/8/8/8 w - d6 0 1';
  const plain = '8/8/3p4/4P3/8/8/8/8 w - - 0 1';
  check('exd6', 'en', 'exd6', passing);
  check('exd6', 'cs', 'exd6\u00a0e.p.', passing);
  check('exd6+', 'de', 'exd6\u00a0e.p.+', passing);
  check('exd6', 'es', 'exd6\u00a0a.p.', passing);
  check('exd6', 'pl', 'exd6', plain);
  check('exd6', 'fr', 'exd6');
});
