import { expect, it } from 'vitest';
import { countWord, scoreWord, whiteShare } from './score';

it('writes scores as chess players read them', () => {
  expect(scoreWord({ kind: 'cp', value: 35 })).toBe('+0.35');
  expect(scoreWord({ kind: 'cp', value: -120 })).toBe('−1.20');
  expect(scoreWord({ kind: 'mate', value: -2 })).toBe('#-2');
  expect(scoreWord({ kind: 'won', value: 'black' })).toBe('0-1');
});

it('gives White the share of the bar that the chances are', () => {
  expect(whiteShare({ kind: 'cp', value: 0 })).toBe(50);
  expect(whiteShare({ kind: 'cp', value: 200 })).toBeCloseTo(67.62, 1);
  expect(whiteShare({ kind: 'mate', value: -1 })).toBe(0);
});

it('shortens large counts', () => {
  expect([87, 1_500, 2_340_000].map(countWord)).toEqual(['87', '2 k', '2.3 M']);
});
