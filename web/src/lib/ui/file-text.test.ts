import { expect, it } from 'vitest';
import { textOf } from './file-text';

it('reads names in UTF-8 and in what older programs write', () => {
  expect(textOf(new TextEncoder().encode('Müller, Łukasz').buffer)).toBe('Müller, Łukasz');
  expect(textOf(new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]).buffer)).toBe('Müller');
});
