// The example of the documentation does what it says: it tries again what passes, and nothing else.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Store {
  readGenome(code: string): Promise<string>;
}
interface Options {
  fetch: () => Promise<Response>;
  sleep: (ms: number) => Promise<void>;
}
const path = fileURLToPath(new URL('../../../../docs/examples/genome-store.mjs', import.meta.url));
const { GenomeStore } = (await import(/* @vite-ignore */ path)) as {
  GenomeStore: new (url: string, options: Options) => Store;
};

/** What becomes of a request that is answered so, one after the other, and how long was waited in between. */
async function tryWith(...answers: (number | 'down')[]): Promise<{ end: string; pauses: number[] }> {
  const pauses: number[] = [];
  const fetch = (): Promise<Response> => {
    const status = answers.shift() ?? 'down';
    if (status === 'down') return Promise.reject(new TypeError('fetch failed'));
    const body = status === 200 ? 'SACH' : JSON.stringify({ code: 'S_NOT_FOUND', detail: 'nothing is there' });
    return Promise.resolve(new Response(body, { status, headers: status === 429 ? { 'retry-after': '2' } : {} }));
  };
  const sleep = (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  };
  const store = new GenomeStore('http://club.example/', { fetch, sleep });
  const end = await store.readGenome('rook').catch((error: Error) => error.message);
  return { end, pauses };
}

test('what passes is tried again with pauses that double', async () => {
  const { end, pauses } = await tryWith(503, 'down', 500, 200);
  expect(end).toBe('SACH');
  expect(pauses).toHaveLength(3);
  for (const [i, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(75 * 2 ** i);
    expect(pause).toBeLessThanOrEqual(125 * 2 ** i);
  }
});

test('five attempts are enough', async () => {
  const { end, pauses } = await tryWith('down', 'down', 'down', 'down', 'down', 200);
  expect(end).toBe('fetch failed');
  expect(pauses).toHaveLength(4);
});

test('who is too fast waits as long as the server says', async () => {
  expect(await tryWith(429, 200)).toEqual({ end: 'SACH', pauses: [2000] });
});

test('what is refused stays refused', async () => {
  expect(await tryWith(404, 200)).toEqual({ end: 'nothing is there', pauses: [] });
});
