// Cuts the editor's text into pieces to be coloured: codons by their role, the place of an error, and the rest.
import type { Explanation } from '$lib/api/types';

/** A piece of text. */
export interface Piece {
  text: string;
  /** How it is coloured. */
  kind: 'start' | 'owner' | 'effect' | 'end' | 'step' | 'error' | 'missing' | 'plain';
  /** The codon it is, from 0. */
  codon: number | null;
}

/** The text in pieces, nothing left out. An answer that belongs to another text colours what it can. */
export function paint(text: string, explanation: Explanation | null): Piece[] {
  const marks: { begin: number; end: number; kind: Piece['kind']; codon: number | null }[] =
    explanation?.codons.map(({ begin, end, role, at }) => ({ begin, end, kind: role, codon: at })) ?? [];
  const error = explanation?.error ?? null;
  // Where something is missing there is no letter to mark: the place itself is.
  if (error !== null && text.trim() !== '')
    marks.push({ ...error, kind: error.end > error.begin ? 'error' : 'missing', codon: error.at });
  const pieces: Piece[] = [];
  let at = 0;
  for (const { begin, end, kind, codon } of marks) {
    if (begin < at || end > text.length) break;
    if (begin > at) pieces.push({ text: text.slice(at, begin), kind: 'plain', codon: null });
    pieces.push({ text: text.slice(begin, end), kind, codon });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kind: 'plain', codon: null });
  return pieces;
}
