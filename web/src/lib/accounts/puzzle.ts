// The puzzle of the captcha, as ALTCHA's protocol (version 2) describes it: find the counter whose hash begins as asked.
// The library's own solver needs `crypto.subtle`, see `sha256.ts`.
import type { CaptchaChallenge } from '$lib/api/types';
import { sha256 } from './sha256';

export interface Solution {
  counter: number;
  /** The hash that was found, in hex. */
  derivedKey: string;
  /** How long it took, in milliseconds. */
  time: number;
}

/** Tries one counter after the other; null if none of 32 bits fits. */
export function solvePuzzle({ parameters }: CaptchaChallenge, now: () => number): Solution | null {
  const { cost, keyLength, keyPrefix, nonce, salt } = parameters;
  const began = now();
  const prefix = keyPrefix.toLowerCase();
  const message = Uint8Array.from([...bytesOf(salt), ...bytesOf(nonce), 0, 0, 0, 0]);
  const counterPlace = new DataView(message.buffer, message.length - 4);
  for (let counter = 0; counter < 2 ** 32; counter++) {
    counterPlace.setUint32(0, counter);
    let key = sha256(message).subarray(0, keyLength);
    for (let round = 1; round < cost; round++) key = sha256(key).subarray(0, keyLength);
    if (beginsWith(key, prefix)) return { counter, derivedKey: hexOf(key), time: Math.round(now() - began) };
  }
  return null;
}

/** Compares digit by digit: a prefix may end within a byte. */
function beginsWith(key: Uint8Array, prefix: string): boolean {
  for (let i = 0; i < prefix.length; i++) {
    const byte = key[i >> 1] ?? 0;
    const digit = i % 2 === 0 ? byte >> 4 : byte & 15;
    if (digit !== parseInt(prefix[i] ?? '', 16)) return false;
  }
  return true;
}

function bytesOf(hex: string): number[] {
  return (hex.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
