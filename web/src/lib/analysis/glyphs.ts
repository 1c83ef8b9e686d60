// The glyphs people put on moves and positions, by their number in PGN.
import type { TextKey } from '$lib/ui/text';

export interface Glyph {
  nag: number;
  sign: string;
  text: TextKey;
}

/** Of the move. */
export const MOVE_GLYPHS: readonly Glyph[] = [
  { nag: 1, sign: '!', text: 'analysis.glyph.good' },
  { nag: 2, sign: '?', text: 'analysis.glyph.mistake' },
  { nag: 3, sign: '!!', text: 'analysis.glyph.brilliant' },
  { nag: 4, sign: '??', text: 'analysis.glyph.blunder' },
  { nag: 5, sign: '!?', text: 'analysis.glyph.interesting' },
  { nag: 6, sign: '?!', text: 'analysis.glyph.dubious' },
];

/** Of the position. Slight advantages are written with plain letters: their signs are in few fonts. */
export const POSITION_GLYPHS: readonly Glyph[] = [
  { nag: 10, sign: '=', text: 'analysis.glyph.equal' },
  { nag: 13, sign: '∞', text: 'analysis.glyph.unclear' },
  { nag: 14, sign: '+=', text: 'analysis.glyph.white_slightly' },
  { nag: 15, sign: '=+', text: 'analysis.glyph.black_slightly' },
  { nag: 18, sign: '+−', text: 'analysis.glyph.white_wins' },
  { nag: 19, sign: '−+', text: 'analysis.glyph.black_wins' },
];

const SIGNS = new Map([
  ...[...MOVE_GLYPHS, ...POSITION_GLYPHS].map(({ nag, sign }) => [nag, sign] as const),
  [7, '□'],
  [16, '±'],
  [17, '∓'],
]);

/** The signs of these glyphs, or their numbers where there is no sign. */
export const signsOf = (nags: readonly number[]): string => nags.map((nag) => SIGNS.get(nag) ?? `$${nag}`).join(' ');
