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

/** A move in another language's letters; `before` is the position it was made in, where that is known. */
export function translateSan(san: string, notation: Notation, before?: string): string {
  const letters = [...LETTERS[notation]];
  const written = san.replace(/[KQRBN]/g, (letter) => letters[LETTERS.en.indexOf(letter)] ?? letter);
  const mark = EN_PASSANT[notation];
  if (mark === undefined || before === undefined || !takesNothing(san, before)) return written;
  // The sign of a check stays at the end.
  return written.replace(/[+#]?$/, (end) => `\u00a0${mark}${end}`);
}

/** Whether a pawn takes on a square where nothing stands: only en passant does. */
function takesNothing(san: string, before: string): boolean {
  const to = /^[a-h]x([a-h][36])[+#]?$/.exec(san)?.[1];
  return to !== undefined && roleAt(before, to) === null;
}
