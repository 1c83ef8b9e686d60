import { expect, test } from 'vitest';
import type { Me } from '$lib/api/types';
import { HOUSE, Preferences } from './preferences.svelte';

/** A browser's storage that holds this at first. */
function storage(kept: string | null = null): Storage {
  const items = new Map(kept === null ? [] : [['preferences', kept]]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as unknown as Storage;
}

const GERMAN = { ...HOUSE, notation: 'de', board_side: 'black' } as const;

test('what a guest likes is there again with the next page', () => {
  const box = storage();
  const preferences = new Preferences(
    () => null,
    () => box,
  );
  expect(preferences.now).toEqual(HOUSE);
  preferences.keepHere(GERMAN);
  expect(preferences.written('Nf3')).toBe('Sf3');
  const next = new Preferences(
    () => null,
    () => box,
  );
  expect(next.now).toEqual(GERMAN);
});

test('whoever has an account sees what the account says', () => {
  const me = { player: { preferences: { ...HOUSE, notation: 'fr' } } } as unknown as Me;
  const preferences = new Preferences(
    () => me,
    () => storage(JSON.stringify(GERMAN)),
  );
  expect(preferences.now.notation).toBe('fr');
});

test('what cannot be read or remembered does no harm', () => {
  const check = (kept: string, notation: string) => {
    const preferences = new Preferences(
      () => null,
      () => storage(kept),
    );
    expect(preferences.now).toEqual({ ...HOUSE, notation });
  };
  check('{', 'en');
  check('{"notation": "tlh"}', 'en');
  check('{"notation": "cs"}', 'cs');
  const forbidden = new Preferences(
    () => null,
    () => {
      throw new Error('not here');
    },
  );
  forbidden.keepHere(GERMAN);
  expect(forbidden.now).toEqual(GERMAN);
});
