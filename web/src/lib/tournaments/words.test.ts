import { describe, expect, it } from 'vitest';
import type { EventScore } from '$lib/api/types';
import { FORFEITS, scoreText, UNUSUAL, USUAL } from './words';

describe('a result', () => {
  it.each<[EventScore | null, string]>([
    ['1-0', '1 – 0'],
    ['1/2-1/2', '½ – ½'],
    ['0-1/2', '0 – ½'],
    ['+-', '+ –'],
    ['-+', '– +'],
    ['--', '– –'],
    [null, '–'],
  ])('%s is written %s', (score, text) => {
    expect(scoreText(score)).toBe(text);
  });

  it('can be entered, each once', () => {
    const all = [...USUAL, ...FORFEITS, ...UNUSUAL];
    expect(new Set(all).size).toBe(9);
  });
});
