// Moves come from the server in the letters of PGN; everybody reads them in the letters they know.
import type { Notation } from '$lib/api/types';
import { roleAt } from '$lib/board/placement';

/** King, queen, rook, bishop, knight. */
const LETTERS: Record<Notation, string> = {
  en: 'KQRBN',
  cs: 'KDVSJ',
  sk: 'KDVSJ',
  pl: 'KHWGS',
  de: 'KDTLS',
  es: 'RDTAC',
  fr: 'RDTFC',
  it: 'RDTAC',
  figurine: '♔♕♖♗♘',
};

/** What is written after a capture en passant, where that is the custom. */
const EN_PASSANT: Partial<Record<Notation, string>> = {
  cs: 'e.p.',
  sk: 'e.p.',
  pl: 'e.p.',
  de: 'e.p.',
  es: 'a.p.',
  fr: 'e.p.',
  it: 'e.p.',
};

/** The languages one can choose, English first. */
export const NOTATIONS = Object.keys(LETTERS) as Notation[];

/** The pieces' letters in a language, from king to knight. */
export const lettersOf = (notation: Notation): string => [...LETTERS[notation]].join(' ');

/**
 * A move in another language's letters, and as FIDE writes it: `0-0`, `e8D`. `before` is the position it was made in,
 * where that is known, or whether it was made en passant.
 */
export function translateSan(san: string, notation: Notation, before?: string | boolean): string {
  const letters = [...LETTERS[notation]];
  const written = san
    .replace(/^O-O(-O)?/, (castling) => castling.replaceAll('O', '0'))
    .replace(/^([a-h].*)=(?=[QRBN])/, '$1')
    .replace(/[KQRBN]/g, (letter) => letters[LETTERS.en.indexOf(letter)] ?? letter);
  const mark = EN_PASSANT[notation];
  const isPassing = typeof before === 'string' ? takesNothing(san, before) : before === true;
  if (mark === undefined || !isPassing) return written;
  // The sign of a check stays at the end.
  return written.replace(/[+#]?$/, (end) => `\u00a0${mark}${end}`);
}

/**
 * What somebody typed in their own letters, as the server reads it in every language: with figurines. A French `Rd1` is
 * the king's move, and never a rook's because English is asked first. What is no own letter stays as it was typed.
 */
export function readSan(text: string, notation: Notation): string {
  const own = [...LETTERS[notation]];
  const among = (letters: string) => (letter: string) => letters[own.indexOf(letter)] ?? letter;
  const letter = `[${own.join('')}]`;
  // A piece from the shelf is named as programs do it.
  if (text.includes('@')) return text.replace(new RegExp(`^${letter}`, 'u'), among(LETTERS.en));
  const figurine = among(LETTERS.figurine);
  const promotion = new RegExp(`([a-h][18][=(/]?)(${letter})(\\)?[+#!?]*)$`, 'u');
  return text
    .replace(new RegExp(`^${letter}(?=.)`, 'u'), figurine)
    .replace(promotion, (_, to: string, piece: string, end: string) => to + figurine(piece) + end);
}

/** What [`readSan`] made of it, in the letters of whoever typed it. */
export function shownTyped(text: string, notation: Notation): string {
  const own = [...LETTERS[notation]];
  return text.replace(/[♔♕♖♗♘]/gu, (piece) => own[LETTERS.figurine.indexOf(piece)] ?? piece);
}

/** Whether a pawn takes on a square where nothing stands: only en passant does. */
function takesNothing(san: string, before: string): boolean {
  const to = /^[a-h]x([a-h][36])[+#]?$/.exec(san)?.[1];
  return to !== undefined && roleAt(before, to) === null;
}
