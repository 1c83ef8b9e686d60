import { expect, it } from 'vitest';
import { Drafts, whereOf, type Draft } from './drafts';
import { newTree } from './tree';

function storage(): Storage {
  const kept = new Map<string, string>();
  const get = (name: string): string | null => kept.get(name) ?? null;
  const set = (name: string, value: string): void => void kept.set(name, value);
  return { getItem: get, setItem: set } as Storage;
}

const draft = (fen: string): Draft => ({ tree: newTree('standard', null, fen, ''), path: [], study: null });

it('finds a draft again by what its board was opened from', () => {
  const drafts = new Drafts(storage);
  expect(drafts.find('')).toBeNull();
  const kept = storage();
  const same = new Drafts(() => kept);
  same.keep('', draft('a'));
  same.keep('game=x', draft('b'));
  same.keep('', draft('c'));
  expect(new Drafts(() => kept).find('')?.tree.root.fen).toBe('c');
  expect(same.find('game=x')?.tree.root.fen).toBe('b');
  same.forget('');
  expect(same.find('')).toBeNull();
});

it('keeps the five that were touched last', () => {
  const kept = storage();
  const drafts = new Drafts(() => kept);
  for (const where of ['1', '2', '3', '4', '5', '1', '6']) drafts.keep(where, draft(where));
  expect(['1', '2', '3', '6'].map((where) => drafts.find(where) !== null)).toEqual([true, false, true, true]);
});

it('is no harm where nothing can be stored', () => {
  const drafts = new Drafts(() => {
    throw new Error('forbidden');
  });
  drafts.keep('', draft('a'));
  expect(drafts.find('')).toBeNull();
});

it('knows what a board was opened from', () => {
  const check = (query: string, where: string): void => expect(whereOf(new URLSearchParams(query))).toBe(where);
  check('', '');
  check('new', '');
  check('game=abc&ply=4&side=black', 'game=abc');
  check('fen=8/8 w', 'fen=8/8 w');
});
