import { expect, test } from 'vitest';
import { backoff } from './backoff';

function check(attempt: number, shortest: number, longest: number) {
  expect(backoff(attempt, 0)).toBe(shortest);
  expect(backoff(attempt, 1)).toBe(longest);
}

test('the wait grows with every try', () => {
  check(0, 100, 200);
  check(1, 250, 500);
  check(2, 500, 1_000);
  check(3, 1_000, 2_000);
});

test('the wait never exceeds five seconds', () => {
  check(5, 2_500, 5_000);
  check(500, 2_500, 5_000);
});
