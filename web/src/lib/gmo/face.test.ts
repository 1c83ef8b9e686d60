import { expect, test } from 'vitest';
import { face, palette } from './face';

const ALL = Array.from({ length: 65_536 }, (_, look) => look);
const drawn = (look: number) => JSON.stringify([face(look), palette(look, 'white').accent]);

test('no two of the 65,536 looks have the same face', () => {
  expect(new Set(ALL.map(drawn)).size).toBe(65_536);
}, 60_000);

test('equal looks have equal faces', () => {
  for (const look of [0, 1, 4711, 65_535]) expect(drawn(look)).toBe(drawn(look));
});

test('the sides differ in the body and share the accent', () => {
  for (const look of [0, 512, 40_000]) {
    const [white, black] = [palette(look, 'white'), palette(look, 'black')];
    expect(white.accent).toBe(black.accent);
    expect(white.body).not.toBe(black.body);
  }
});

test('every path stays near its field and is made of numbers', () => {
  for (let bit = 0; bit < 16; bit += 1) {
    for (const { d } of face(1 << bit)) {
      expect(d).not.toMatch(/NaN|undefined/);
      expect(d.startsWith('M')).toBe(true);
    }
  }
});
