import { expect, test } from 'vitest';
import type { Color, MoveView, TimeControl } from '$lib/api/types';
import { clocksAt } from './replay';

const TIME: TimeControl = { kind: 'fischer', initial_ms: 60_000, increment_ms: 0 };

function check(movers: readonly Color[], shown: number, white: number, black: number) {
  const moves = movers.map((by, i) => ({ by, left_ms: (59 - i) * 1000 }) as MoveView);
  const clocks = clocksAt({ moves, time: TIME }, shown);
  expect(clocks).toMatchObject({ white_ms: white * 1000, black_ms: black * 1000, running: null });
}

test('each clock shows what its last move has left', () => {
  const movers = ['white', 'black', 'white'] as const;
  check(movers, 0, 60, 60);
  check(movers, 1, 59, 60);
  check(movers, 2, 59, 58);
  check(movers, 3, 57, 58);
});

test('Black may have begun', () => {
  const movers = ['black', 'white', 'black'] as const;
  check(movers, 1, 60, 59);
  check(movers, 3, 58, 57);
});

test('who promotes has acted twice in a row, and the clocks know it', () => {
  const movers = ['white', 'white', 'black', 'white'] as const;
  check(movers, 2, 58, 60);
  check(movers, 3, 58, 57);
  check(movers, 4, 56, 57);
});

test('before its first move a side has a whole move in days, or its bank', () => {
  const DAY = 86_400_000;
  const days = { kind: 'days', per_move_ms: 3 * DAY, cap_ms: null, leave_days: 0, weekends_free: false } as const;
  const move = { by: 'white', left_ms: 2 * DAY } as MoveView;
  const shown = (bank_ms: number | null) => clocksAt({ moves: [move], time: { ...days, bank_ms } }, 1);
  expect(shown(null)).toMatchObject({ white_ms: 2 * DAY, black_ms: 3 * DAY });
  expect(shown(10 * DAY)).toMatchObject({ white_ms: 2 * DAY, black_ms: 10 * DAY });
});
