import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { solvePuzzle } from './puzzle';
import { sha256 } from './sha256';

function checkHash(text: string): void {
  const bytes = new TextEncoder().encode(text);
  expect(Buffer.from(sha256(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
}

test('SHA-256 agrees with another implementation, at every length of the last block', () => {
  for (let length = 0; length <= 130; length++) checkHash('a'.repeat(length));
  checkHash('Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich');
});

/** Solves a puzzle and asks another implementation whether the solution holds. */
function checkPuzzle(keyPrefix: string, cost: number): void {
  const [nonce, salt] = ['00112233445566778899aabbccddeeff', 'ffeeddccbbaa99887766554433221100'];
  const parameters = { algorithm: 'SHA-256', cost, keyLength: 32, keyPrefix, nonce, salt };
  const solution = solvePuzzle({ parameters }, () => 0);
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(solution?.counter ?? 0);
  let key = Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(nonce, 'hex'), counter]);
  for (let round = 0; round < cost; round++) key = createHash('sha256').update(key).digest();
  expect(solution?.derivedKey).toBe(key.toString('hex'));
  expect(solution?.derivedKey.startsWith(keyPrefix)).toBe(true);
}

test('a puzzle is solved as the protocol asks', () => {
  checkPuzzle('00', 1);
  checkPuzzle('abc', 1);
  checkPuzzle('0', 5);
});
