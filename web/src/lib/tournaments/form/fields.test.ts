import { expect, it } from 'vitest';
import { hasFoldedError } from './fields';

it('knows which mistakes are folded away', () => {
  expect(hasFoldedError({})).toBe(false);
  expect(hasFoldedError({ name: 'Write a name', points: undefined })).toBe(false);
  expect(hasFoldedError({ points: 'A win is worth more' })).toBe(true);
});
