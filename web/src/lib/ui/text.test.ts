import { expect, test } from 'vitest';
import { t, tn, tOr } from './text';

test('holes are filled by name', () => {
  expect(t('challenge.invites', { name: 'Ada' })).toBe('Ada invites you to a game');
});

test('a hole that nobody fills stays visible', () => {
  expect(t('challenge.invites')).toContain('{name}');
});

test('a counted text shows its number', () => {
  expect(tn('game.watchers', 1)).toBe('1 watching');
  expect(tn('game.watchers', 3)).toBe('3 watching');
});

test('a name from outside that is not foreseen has an answer', () => {
  expect(tOr('draw.stalemate', 'draw.other')).toBe(t('draw.stalemate'));
  expect(tOr('draw.something_new', 'draw.other')).toBe(t('draw.other'));
});
