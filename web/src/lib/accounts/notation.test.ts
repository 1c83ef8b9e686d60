import { expect, test } from 'vitest';
import type { Notation } from '$lib/api/types';
import { NOTATIONS, readSan, shownTyped, translateSan } from './notation';

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

test('promotions and castling are written as FIDE writes them, and pawns have no letter', () => {
  check('bxa8=Q', 'cs', 'bxa8D');
  check('e8=N+', 'en', 'e8N+');
  check('d1=R#', 'figurine', 'd1♖#');
  check('O-O', 'en', '0-0');
  check('O-O-O+', 'es', '0-0-0+');
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

/** What is typed in a language, as the server reads it. */
function checkRead(typed: string, notation: Notation, expected: string): void {
  expect(readSan(typed, notation)).toBe(expected);
}

test('what is typed in the own letters is read as the own pieces', () => {
  checkRead('Rd1', 'fr', '♔d1');
  checkRead('Td1', 'fr', '♖d1');
  checkRead('Rd1', 'en', '♖d1');
  checkRead('Sf3', 'de', '♘f3');
  checkRead('Sf3', 'cs', '♗f3');
  checkRead('Gxb5+', 'pl', '♗xb5+');
  checkRead('Cb1-c3', 'es', '♘b1-c3');
  checkRead('Dd8', 'it', '♕d8');
  checkRead('Jf3', 'sk', '♘f3');
  checkRead('♘f3', 'figurine', '♘f3');
});

test('a promotion may be typed with or without its sign', () => {
  checkRead('e8D', 'de', 'e8♕');
  checkRead('exd8=C+', 'fr', 'exd8=♘+');
  checkRead('e1(H)', 'pl', 'e1(♕)');
  checkRead('d1=T', 'es', 'd1=♖');
});

test('what is no own letter stays as it was typed', () => {
  for (const notation of NOTATIONS) {
    for (const typed of ['e2e4', 'e7e8q', 'exd6', 'e4', 'O-O', '0-0-0', '--']) checkRead(typed, notation, typed);
  }
  checkRead('Nf3', 'de', 'Nf3');
  checkRead('Kd1', 'fr', 'Kd1');
});

test('a piece from the shelf is named as programs do it', () => {
  checkRead('J@c3', 'cs', 'N@c3');
  checkRead('N@c3', 'en', 'N@c3');
});

test('what was read is shown in the own letters again', () => {
  for (const notation of NOTATIONS) {
    for (const san of ['Kd1', 'Qxh7#', 'Rad1', 'Bb5+', 'Nf3', 'exd8=Q']) {
      const typed = translateSan(san, notation);
      expect(shownTyped(readSan(typed, notation), notation)).toBe(typed);
    }
  }
});

test('a line may say itself that it takes en passant', () => {
  expect(translateSan('exd6', 'cs', true)).toBe('exd6\u00a0e.p.');
  expect(translateSan('exd6', 'cs', false)).toBe('exd6');
});
