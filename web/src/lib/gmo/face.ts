// The face of a GMO piece, drawn from the sixteen bits of its look. Pure: the same look gives the same face, always.
//
// Three bits each choose body, head, eyes and colour, two each the mouth and the marks: 65,536 creatures, none twice.
// All of them are paths in a field of 100 by 100, so that they can be drawn on a board or alone.
import type { Color } from '$lib/api/types';

/** What a path is painted with. */
export type Paint = 'body' | 'line' | 'accent' | 'white' | 'pupil';

/** A path of a face. */
export interface Path {
  d: string;
  fill: Paint | 'none';
  /** The width of its outline; no outline without it. */
  stroke?: number;
}

/** The colours of a face. */
export type Palette = Record<Paint, string>;

const ACCENTS = ['#d8434f', '#e57a22', '#d6a50c', '#4f9f45', '#149a9a', '#3a78e0', '#8b56d6', '#e05aa8'];

const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const pair = (draw: (x: number, side: 1 | -1) => string, away: number): string =>
  draw(50 - away, -1) + draw(50 + away, 1);

const BODIES = [
  circle(50, 59, 31),
  'M50 24C71 24 78 48 78 63C78 81 66 91 50 91C34 91 22 81 22 63C22 48 29 24 50 24z',
  'M31 31H69Q80 31 80 42V80Q80 91 69 91H31Q20 91 20 80V42Q20 31 31 31z',
  'M50 24Q55 24 58 30L84 79Q88 91 75 91H25Q12 91 16 79L42 30Q45 24 50 24z',
  'M20 91V56C20 36 32 26 50 26C68 26 80 36 80 56V91L70 82L60 91L50 82L40 91L30 82z',
  'M50 27C62 27 67 37 67 47C67 57 86 63 86 77C86 87 73 91 50 91C27 91 14 87 14 77C14 63 33 57 33 47C33 37 38 27 50 27z',
  'M50 24L82 42V74L50 92L18 74V42z',
  'M12 67C12 47 29 39 50 39C71 39 88 47 88 67C88 83 73 91 50 91C27 91 12 83 12 67z',
];

/** Ears, horns and what else there is on a head. They are drawn behind the body. */
const HEADS = [
  'M20 52L21 10L48 32zM80 52L79 10L52 32z',
  'M34 46C23 30 24 4 35 3C45 3 46 28 45 44zM66 46C77 30 76 4 65 3C55 3 54 28 55 44z',
  'M28 50C8 42 4 20 12 6C17 22 28 28 44 34zM72 50C92 42 96 20 88 6C83 22 72 28 56 34z',
  `M42 44L30 14L34 12L47 42zM58 44L70 14L66 12L53 42z${circle(31, 11, 7)}${circle(69, 11, 7)}`,
  'M36 42C30 24 40 18 36 5C48 10 53 20 50 29C56 18 66 18 69 8C73 26 66 36 64 44z',
  'M20 50L22 20L36 32L40 9L50 28L60 9L64 32L78 20L80 50z',
  'M28 58L0 38L7 56L1 68L8 74L28 82zM72 58L100 38L93 56L99 68L92 74L72 82z',
  'M38 42L50 1L62 42z',
];

const EYES: readonly Path[][] = [
  [
    { d: circle(50, 54, 13), fill: 'white', stroke: 3 },
    { d: circle(50, 54, 6), fill: 'pupil' },
  ],
  [
    { d: pair((x) => circle(x, 55, 8), 12), fill: 'white', stroke: 3 },
    { d: pair((x) => circle(x, 56, 4), 12), fill: 'pupil' },
  ],
  [
    { d: pair((x) => circle(x, 59, 6), 16) + circle(50, 51, 7), fill: 'white', stroke: 3 },
    { d: pair((x) => circle(x, 59, 3), 16) + circle(50, 51, 3.5), fill: 'pupil' },
  ],
  [
    { d: pair((x) => `M${x - 5} 55a5 10 0 1 0 10 0a5 10 0 1 0 -10 0z`, 9), fill: 'white', stroke: 3 },
    { d: pair((x) => circle(x, 60, 3.5), 9), fill: 'pupil' },
  ],
  [
    { d: pair((x) => `M${x - 9} 55H${x + 9}A9 9 0 0 1 ${x - 9} 55z`, 13), fill: 'white', stroke: 3 },
    { d: pair((x) => `M${x - 4} 56H${x + 4}A4 5 0 0 1 ${x - 4} 56z`, 13), fill: 'pupil' },
  ],
  [
    { d: pair((x) => `M${x - 8} 47H${x + 8}V62H${x - 8}z`, 11), fill: 'white', stroke: 3.5 },
    { d: pair((x) => `M${x - 3} 52H${x + 4}V59H${x - 3}z`, 11), fill: 'pupil' },
  ],
  [
    { d: pair((x) => circle(x, 57, 7), 12), fill: 'white', stroke: 3 },
    { d: pair((x) => circle(x, 58, 3.5), 12), fill: 'pupil' },
    {
      d: pair((x, side) => `M${x + 11 * side} 42L${x - 8 * side} 50L${x - 7 * side} 54L${x + 12 * side} 47z`, 12),
      fill: 'line',
    },
  ],
  [
    {
      d: pair(
        (x) =>
          `M${x - 7} 50L${x - 4} 47L${x} 51L${x + 4} 47L${x + 7} 50L${x + 3} 54L${x + 7} 58L${x + 4} 61L${x} 57L${x - 4} 61L${x - 7} 58L${x - 3} 54z`,
        13,
      ),
      fill: 'line',
    },
  ],
];

const MOUTHS: readonly Path[][] = [
  [{ d: 'M37 70Q50 85 63 70Q50 78 37 70z', fill: 'line', stroke: 2 }],
  [
    { d: 'M35 70H65L61 76H39z', fill: 'line', stroke: 2 },
    { d: 'M39 71H46L42.5 80zM54 71H61L57.5 80z', fill: 'white' },
  ],
  [{ d: 'M41 67H59L50 82z', fill: 'accent', stroke: 2.5 }],
  [{ d: circle(50, 75, 5.5), fill: 'line' }],
];

const MARKS: readonly Path[][] = [
  [],
  [{ d: circle(30, 68, 5.5) + circle(70, 68, 5.5), fill: 'accent' }],
  [{ d: 'M31 83H69V88H31z', fill: 'accent' }],
  [{ d: circle(34, 81, 4) + circle(50, 87, 3.5) + circle(66, 81, 4), fill: 'accent' }],
];

/** The face of a look, from back to front. */
export function face(look: number): Path[] {
  const part = <T>(parts: readonly T[], shift: number): T => parts[(look >> shift) % parts.length] as T;
  return [
    { d: part(HEADS, 3), fill: 'accent', stroke: 4 },
    { d: part(BODIES, 0), fill: 'body', stroke: 4 },
    ...part(MARKS, 14),
    ...part(EYES, 6),
    ...part(MOUTHS, 12),
  ];
}

/** A path with its colours. */
export interface PaintedPath {
  d: string;
  fill: string;
  stroke?: string | undefined;
  width?: number | undefined;
}

/** The outline of a side: it keeps its creatures readable on squares of both colours. */
export const rimOf = (owner: Color): string => (owner === 'white' ? '#23262b' : '#f4efe2');

/** The face of a look as one side has it, from back to front. */
export function paintedFace(look: number, owner: Color): PaintedPath[] {
  const colors = palette(look, owner);
  // Head and body, which make the outline, come first.
  return face(look).map(({ d, fill, stroke }, i) => ({
    d,
    fill: fill === 'none' ? 'none' : colors[fill],
    stroke: stroke === undefined ? undefined : i < 2 ? rimOf(owner) : colors.line,
    width: stroke,
  }));
}

/** The colours of a look for one side: its own body, the look's accent. */
export function palette(look: number, owner: Color): Palette {
  const accent = ACCENTS[(look >> 9) % ACCENTS.length] as string;
  return owner === 'white'
    ? { body: '#fdf9ee', line: '#23262b', accent, white: '#ffffff', pupil: '#23262b' }
    : { body: '#33373e', line: '#f4efe2', accent, white: '#ffffff', pupil: '#0f1114' };
}
