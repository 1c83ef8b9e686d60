import { describe, expect, it } from 'vitest';
import { formQuery, WHOLE } from './export';

describe('the form of an export', () => {
  it('says nothing of what comes as it is', () => {
    expect(formQuery(WHOLE)).toBe('format=pgn');
  });

  it('says what is left out, what is added and which games are meant', () => {
    const form = {
      format: 'ndjson',
      with: { clocks: false, evals: true, comments: false, variations: true, tags: false, opening: true },
    } as const;
    expect(formQuery(form, [7, 12])).toBe(
      'format=ndjson&clocks=false&comments=false&tags=few&openings=true&numbers=7,12',
    );
  });
});
