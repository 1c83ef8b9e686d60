import { expect, test } from 'vitest';
import { bytes } from './this-browser';

test('a key is read as addresses write it, without padding', () => {
  expect([...bytes('BP4z9A')]).toEqual([4, 254, 51, 244]);
  expect([...bytes('_-8')]).toEqual([255, 239]);
});
