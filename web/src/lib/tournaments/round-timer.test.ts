import { expect, test } from 'vitest';
import type { EventView } from '$lib/api/types';
import { timerOf } from './round-timer';

const BEGAN = 1_000_000;
const RUNS = { round: 2, since: BEGAN, ran_ms: 0, added_minutes: 0 };

function check(at: number, minutes: number, more: { open?: number; online?: boolean; timer?: object | null } = {}) {
  const { open = 3, online = false, timer = RUNS } = more;
  const event = {
    state: 'running',
    rounds: [{ number: 2, published_at: 0, boards: 4, open }],
    regulations: { online, pace: { round_minutes: minutes } },
    timer,
  } as unknown as EventView;
  return timerOf(event, BEGAN + at);
}

test('the timer of the hall counts up, or down to the end of the round and beyond', () => {
  expect(check(90_000, 0)).toEqual({ kind: 'runs', round: 2, ms: 90_000 });
  expect(check(90_000, 60)).toEqual({ kind: 'left', round: 2, ms: 3_510_000 });
  expect(check(3_605_000, 60)).toEqual({ kind: 'over', round: 2, ms: 5_000 });
});

test('a round that was published has not begun before the director says so', () => {
  expect(check(90_000, 60, { timer: null })).toEqual({ kind: 'ready', round: 2, ms: 3_600_000 });
  expect(check(90_000, 0, { timer: null })).toBeNull();
});

test('it stands still when it is stopped, and ends later when minutes were added', () => {
  const stopped = { ...RUNS, since: null, ran_ms: 600_000 };
  expect(check(90_000, 60, { timer: stopped })).toEqual({ kind: 'stands', round: 2, ms: 3_000_000 });
  expect(check(90_000, 0, { timer: stopped })).toEqual({ kind: 'stands', round: 2, ms: 600_000 });
  const again = { ...RUNS, ran_ms: 600_000, added_minutes: 5 };
  expect(check(60_000, 60, { timer: again })).toEqual({ kind: 'left', round: 2, ms: 3_240_000 });
});

test('there is none when the round is over, and none online', () => {
  expect(check(90_000, 60, { open: 0 })).toBeNull();
  expect(check(90_000, 60, { online: true })).toBeNull();
});
