// Moves come from the server in the letters of PGN; everybody reads them in the letters they know.
import type { Notation } from '$lib/api/types';

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

/** The languages one can choose, English first. */
export const NOTATIONS = Object.keys(LETTERS) as Notation[];

/** The pieces' letters in a language, from king to knight. */
export const lettersOf = (notation: Notation): string => [...LETTERS[notation]].join(' ');

/** A move in another language's letters. */
export function translateSan(san: string, notation: Notation): string {
  const letters = [...LETTERS[notation]];
  return san.replace(/[KQRBN]/g, (letter) => letters[LETTERS.en.indexOf(letter)] ?? letter);
}
