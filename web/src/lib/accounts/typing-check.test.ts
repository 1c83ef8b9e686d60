import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FieldProblem } from '$lib/api/types';
import { TypingCheck } from './typing-check.svelte';

const TAKEN: FieldProblem = { field: 'name', code: 'taken', detail: 'This name is taken.' };
let said: Array<string | null>;

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
});
afterEach(() => vi.useRealTimers());

/** A server that knows one name; `delays` are its answers' in milliseconds. */
function typist(...delays: number[]): TypingCheck {
  return new TypingCheck(
    (_, problem) => said.push(problem?.code ?? null),
    async ({ name }) => {
      await new Promise((answered) => setTimeout(answered, delays.shift() ?? 0));
      return { fields: name === 'taken' ? [TAKEN] : [] };
    },
  );
}

test('a pause in typing asks once, about the last text', async () => {
  const check = typist();
  for (const text of ['t', 'ta', 'taken']) check.typed('name', text);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(said).toEqual(['taken']);
  expect(check.good.name).toBe(false);
});

test('an answer about a text that has changed since is not told', async () => {
  const check = typist(2_000, 0);
  check.typed('name', 'taken');
  await vi.advanceTimersByTimeAsync(500);
  check.typed('name', 'free1');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toEqual([null]);
  expect(check.good.name).toBe(true);
});

test('an emptied field is not complained about', async () => {
  const check = typist();
  check.typed('name', 'taken');
  check.typed('name', '');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(said).toEqual([null]);
});
