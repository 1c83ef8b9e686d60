import { expect, test } from 'vitest';
import { keepLevel, lastLevel, USUAL_LEVEL } from './level';

test('the level last played is remembered', () => {
  const kept = new Map<string, string>();
  const storage = () => ({
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
  expect(lastLevel(storage)).toBe(USUAL_LEVEL);
  keepLevel(7, storage);
  expect(lastLevel(storage)).toBe(7);
  keepLevel(12, storage);
  expect(lastLevel(storage)).toBe(USUAL_LEVEL);
});

test('a browser that keeps nothing has the usual level', () => {
  const forbidden = (): never => {
    throw new Error('forbidden');
  };
  keepLevel(3, forbidden);
  expect(lastLevel(forbidden)).toBe(USUAL_LEVEL);
});
