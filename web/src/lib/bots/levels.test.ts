import { expect, test } from 'vitest';
import { aboutLevel, levelIn, LEVELS } from './levels';

test('every level has a text of its own', () => {
  expect(new Set(LEVELS.map(aboutLevel)).size).toBe(LEVELS.length);
});

test.each([
  ['bot=3', 3],
  ['bot=8', 8],
  ['bot=0', null],
  ['bot=9', null],
  ['bot=2.5', null],
  ['bot=x', null],
  ['', null],
])('the address ?%s asks for level %s', (query, level) => {
  expect(levelIn(new URLSearchParams(query))).toBe(level);
});
