import { expect, test } from 'vitest';
import type { EventView } from '$lib/api/types';
import { timerOf } from './round-timer';

const BEGAN = 1_000_000;

function check(at: number, minutes: number, more: { open?: number; online?: boolean } = {}) {
  const { open = 3, online = false } = more;
  const event = {
    state: 'running',
    rounds: [{ number: 2, published_at: BEGAN, boards: 4, open }],
    regulations: { online, pace: { round_minutes: minutes } },
  } as unknown as EventView;
  return timerOf(event, BEGAN + at);
}

test('the timer of the hall counts up, or down to the end of the round and beyond', () => {
  expect(check(90_000, 0)).toEqual({ kind: 'runs', round: 2, ms: 90_000 });
  expect(check(90_000, 60)).toEqual({ kind: 'left', round: 2, ms: 3_510_000 });
  expect(check(3_605_000, 60)).toEqual({ kind: 'over', round: 2, ms: 5_000 });
});

test('it stands still when the round is over, and online there is none', () => {
  expect(check(90_000, 60, { open: 0 })).toBeNull();
  expect(check(90_000, 60, { online: true })).toBeNull();
});
