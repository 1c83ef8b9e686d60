// A picture of a position: an SVG with nothing from outside, and the same as PNG.
import type { Color } from '$lib/api/types';
import { placed } from '$lib/board/placement';

const SQUARE = 80;

/** How the picture looks: colours of the board, and each piece as an address of a picture. */
export interface Look {
  light: string;
  dark: string;
  /** The picture of a piece, as `data:` address. */
  piece: (color: Color, role: string) => string;
}

/** The position as SVG. */
export function pictureOf(fen: string, orientation: Color, look: Look): string {
  const seen = (n: number): number => (orientation === 'white' ? n : 7 - n);
  const size = SQUARE * 8;
  const squares = Array.from({ length: 64 }, (_, i) => i).filter((i) => (Math.floor(i / 8) + i) % 2 === 1);
  const dark = squares.map((i) => `M${(i % 8) * SQUARE} ${Math.floor(i / 8) * SQUARE}h${SQUARE}v${SQUARE}h-${SQUARE}z`);
  const pieces = placed(fen).map(({ color, role, column, row }) => {
    const [x, y] = [seen(column) * SQUARE, seen(row) * SQUARE];
    return `<image x="${x}" y="${y}" width="${SQUARE}" height="${SQUARE}" href="${look.piece(color, role)}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">`,
    `<rect width="${size}" height="${size}" fill="${look.light}"/>`,
    `<path d="${dark.join('')}" fill="${look.dark}"/>`,
    ...pieces,
    '</svg>',
  ].join('\n');
}

/** The look of the boards on this page. The pieces are those of the style sheet, which carries them as addresses. */
export function lookOfPage(): Look {
  const colours = getComputedStyle(document.documentElement);
  const found = new Map<string, string>();
  return {
    light: colours.getPropertyValue('--board-light').trim(),
    dark: colours.getPropertyValue('--board-dark').trim(),
    piece: (color, role) => {
      const name = `${color} ${role}`;
      const known = found.get(name) ?? addressOf(name);
      found.set(name, known);
      return known;
    },
  };
}

function addressOf(name: string): string {
  const frame = document.createElement('div');
  frame.className = 'cg-wrap visually-hidden';
  const piece = document.createElement('piece');
  piece.className = name;
  frame.append(piece);
  document.body.append(frame);
  const image = getComputedStyle(piece).backgroundImage;
  frame.remove();
  return /^url\("(data:[^"]+)"\)$/.exec(image)?.[1] ?? '';
}

/** An SVG as PNG. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;base64,${btoa(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('no picture')) : resolve(blob)), 'image/png');
  });
}
