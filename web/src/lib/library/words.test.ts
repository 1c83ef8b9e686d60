import { describe, expect, it } from 'vitest';
import { bytesText, evalText, glyphs, percentages, resultText, squaresOf } from './words';

describe('words of the library', () => {
  it('writes results as people do', () => {
    expect(['1-0', '0-1', '1/2-1/2', '*'].map(resultText)).toEqual(['1–0', '0–1', '½–½', '*']);
  });

  it('knows where a move leads from and to, and that a placed piece comes from nowhere', () => {
    expect([squaresOf('e7e8q'), squaresOf('N@f3'), squaresOf(undefined)]).toEqual([['e7', 'e8'], null, null]);
  });

  it('shows glyphs as signs', () => {
    expect(glyphs([1, 16, 200])).toBe('! ± $200');
  });

  it('writes evaluations from White', () => {
    expect([
      evalText(35, null),
      evalText(-120, null),
      evalText(0, null),
      evalText(null, -3),
      evalText(null, null),
    ]).toEqual(['+0.35', '−1.20', '0.00', '#−3', '']);
  });

  it('counts bytes as people do', () => {
    expect([10, 12_400, 3_400_000, 42_200_000].map(bytesText)).toEqual(['1 kB', '12 kB', '3.4 MB', '42 MB']);
  });

  it('makes parts that add up to a hundred', () => {
    expect(percentages([1, 1, 1])).toEqual([34, 33, 33]);
    expect(percentages([0, 0, 0])).toEqual([0, 0, 0]);
  });
});
