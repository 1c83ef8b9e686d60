import { expect, test } from 'vitest';
import type { MoveView, TimeControl } from '$lib/api/types';
import { clocksAt } from './replay';

const TIME: TimeControl = { kind: 'fischer', initial_ms: 60_000, increment_ms: 0 };
const moves = [59, 58, 57].map((seconds) => ({ left_ms: seconds * 1000 }) as MoveView);

function check(shown: number, white: number, black: number, turn = 'w') {
  const clocks = clocksAt({ moves, time: TIME, start_fen: `8/8/8/8/8/8/8/8 ${turn} - - 0 1` }, shown);
  expect(clocks).toEqual({ white_ms: white * 1000, black_ms: black * 1000, running: null, frozen_ms: null });
}

test('each clock shows what its last move has left', () => {
  check(0, 60, 60);
  check(1, 59, 60);
  check(2, 59, 58);
  check(3, 57, 58);
});

test('Black may have begun', () => {
  check(1, 60, 59, 'b');
  check(3, 58, 57, 'b');
});
