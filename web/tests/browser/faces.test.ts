// Creatures as small as on a phone's board: two that differ in one part look different, and both sides can be read.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paintedFace } from '../../src/lib/gmo/face';
import type { Color } from '../../src/lib/api/types';
import { openBrowser } from './person';

/** A square of a board that is 256 wide. */
const SIZE = 32;
/** How many of the 1,024 points of such a square must be different, and by how much of 255. */
const FEWEST = 8;
const VISIBLY = 40;
/** Both squares by day and by night. */
const SQUARES = ['#ecebe1', '#7f9f92', '#c9cdc0', '#5f8074'];
/** Which bits of a look choose a part, as `face` reads them. */
const PARTS = { body: [0, 8], head: [3, 8], eyes: [6, 8], colour: [9, 8], mouth: [12, 4], marks: [14, 4] } as const;
/** Looks from everywhere: the step has no factor in common with their number. */
const LOOKS = Array.from({ length: 6 }, (_, i) => (i * 25_717 + 4_711) % 65_536);

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
});

afterAll(async () => {
  await browser?.close();
});

interface Drawn {
  look: number;
  owner: Color;
  square: string;
}

function markup({ look, owner }: Drawn): string {
  return paintedFace(look, owner)
    .map(
      ({ d, fill, stroke, width }) =>
        `<path d="${d}" fill="${fill}" stroke="${stroke ?? 'none'}" stroke-width="${width ?? 0}" stroke-linejoin="round"/>`,
    )
    .join('');
}

/** The points of each of these, red, green and blue, as a browser draws them beside each other. */
async function draw(all: readonly Drawn[]): Promise<number[][]> {
  const cells = all.map(
    (each, i) =>
      `<rect x="${i * SIZE}" width="${SIZE}" height="${SIZE}" fill="${each.square}"/>` +
      // As a board places them: a margin of a twenty-fifth, the face in the rest.
      `<g transform="translate(${(i + 0.04) * SIZE} ${0.04 * SIZE}) scale(${0.0092 * SIZE})">${markup(each)}</g>`,
  );
  const width = SIZE * all.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${SIZE}">${cells.join('')}</svg>`;
  return page.evaluate(
    async ({ svg, size, count }) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [size * count, size];
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('nothing can be drawn');
      context.drawImage(image, 0, 0);
      return Array.from({ length: count }, (_, i) => [...context.getImageData(i * size, 0, size, size).data]);
    },
    { svg, size: SIZE, count: all.length },
  );
}

/** How many points of two drawings are visibly different. */
function difference(one: readonly number[], other: readonly number[]): number {
  let count = 0;
  for (let i = 0; i < one.length; i += 4) {
    const isVisible = [0, 1, 2].some(
      (channel) => Math.abs((one[i + channel] ?? 0) - (other[i + channel] ?? 0)) >= VISIBLY,
    );
    if (isVisible) count += 1;
  }
  return count;
}

test('two faces that differ in one part can be told apart at 32 pixels, on both squares and for both sides', async () => {
  const alike: string[] = [];
  // The points of thousands of pairs come out of the browser: a few looks by day are enough.
  for (const look of LOOKS.slice(0, 3)) {
    for (const [part, [shift, count]] of Object.entries(PARTS)) {
      const family = Array.from({ length: count }, (_, i) => (look & ~((count - 1) << shift)) | (i << shift));
      for (const owner of ['white', 'black'] as const) {
        for (const square of SQUARES.slice(0, 2)) {
          const drawn = await draw(family.map((each) => ({ look: each, owner, square })));
          for (let i = 0; i < count; i += 1) {
            for (let j = i + 1; j < count; j += 1) {
              const points = difference(drawn[i] ?? [], drawn[j] ?? []);
              if (points < FEWEST)
                alike.push(`${part} ${i} and ${j} of look ${look}, ${owner} on ${square}: ${points}`);
            }
          }
        }
      }
    }
  }
  expect(alike).toEqual([]);
}, 180_000);

test('whose a creature is can be seen, and it stands out from every square', async () => {
  for (const square of SQUARES) {
    for (const look of LOOKS) {
      const [white = [], black = []] = await draw([
        { look, owner: 'white', square },
        { look, owner: 'black', square },
      ]);
      const empty = Array.from({ length: SIZE * SIZE }, () => channels(square)).flat();
      expect(difference(white, black), `look ${look} on ${square}`).toBeGreaterThan(150);
      for (const drawn of [white, black])
        expect(difference(drawn, empty), `look ${look} on ${square}`).toBeGreaterThan(150);
    }
  }
}, 120_000);

/** Red, green, blue and full. */
function channels(color: string): number[] {
  return [...[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)), 255];
}
