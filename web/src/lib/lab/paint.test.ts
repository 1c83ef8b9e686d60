import { expect, test } from 'vitest';
import type { Explanation } from '$lib/api/types';
import { paint } from './paint';

const codon = (at: number, begin: number, role: 'start' | 'owner') => ({
  at,
  begin,
  end: begin + 3,
  codon: 'AHH',
  block: 0,
  role,
  meaning: '',
});
const told = (error: Explanation['error']): Explanation => ({
  codons: [codon(0, 0, 'start'), codon(1, 4, 'owner')],
  error,
  genome: null,
});

test('codons and the place of an error are coloured, the rest stays plain', () => {
  const error = { code: 'E_OWNER', at: 2, begin: 8, end: 11, text: '' };
  const pieces = paint('AHH HSH XXX tail', told(error));
  expect(pieces.map(({ text, kind }) => `${kind}:${text}`)).toEqual([
    'start:AHH',
    'plain: ',
    'owner:HSH',
    'plain: ',
    'error:XXX',
    'plain: tail',
  ]);
});

test('where a codon is missing the place itself is marked', () => {
  const error = { code: 'E_TRUNCATED', at: 2, begin: 7, end: 7, text: '' };
  const pieces = paint('AHH HSH ', told(error));
  expect(pieces.map(({ text, kind }) => `${kind}:${text}`)).toEqual([
    'start:AHH',
    'plain: ',
    'owner:HSH',
    'missing:',
    'plain: ',
  ]);
});

test('nothing of the text is lost, whatever the answer says', () => {
  for (const text of ['', 'AH', 'AHH HSH', 'AHH HSH HAA CHA']) {
    for (const explanation of [null, told(null), told({ code: 'E', at: 9, begin: 99, end: 102, text: '' })]) {
      expect(
        paint(text, explanation)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }
  }
});
