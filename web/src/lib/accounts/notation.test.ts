import { expect, test } from 'vitest';
import type { Notation } from '$lib/api/types';
import { translateSan } from './notation';

function check(san: string, notation: Notation, expected: string): void {
  expect(translateSan(san, notation)).toBe(expected);
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
