import { expect, test } from 'vitest';
import type { Decision } from '$lib/api/correspondence';
import type { TimeControl } from '$lib/api/types';
import { dayTerms, decisionText } from './words';

const DAY = 86_400_000;

function check(time: Partial<Extract<TimeControl, { kind: 'days' }>>, ...expected: string[]): void {
  const plain = { kind: 'days', per_move_ms: DAY, bank_ms: null, cap_ms: null, leave_days: 0, weekends_free: false };
  expect(dayTerms({ ...plain, ...time } as TimeControl)).toEqual(expected);
}

test('whoever accepts a game over days reads all of its time', () => {
  check({}, 'No leave');
  check({ leave_days: 1 }, '1 day of leave a year');
  check(
    { bank_ms: 10 * DAY, cap_ms: 20 * DAY, leave_days: 30, weekends_free: true },
    'at most 20 d',
    '30 days of leave a year',
    'weekends free',
  );
  expect(dayTerms({ kind: 'unlimited' })).toEqual([]);
});

test('a decision says what the clocks were set to', () => {
  const decision = { act: 'clocks', after: null, clocks: { white: 300_000, black: null } } as Decision;
  expect(decisionText(decision)).toBe('The clocks were set: White 5:00');
});
