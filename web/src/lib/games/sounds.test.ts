import { expect, test } from 'vitest';
import type { GameView, TimeControl } from '$lib/api/types';
import { lowTime, soundOf } from './sounds';

const view = (ply: number, san: string, more: object = {}): GameView =>
  ({ ply, moves: [{ san }], check: null, outcome: null, ...more }) as unknown as GameView;

function check(before: GameView, after: GameView, sound: string | null) {
  expect(soundOf(before, after)).toBe(sound);
}

test('each kind of move has its sound', () => {
  check(view(1, 'e4'), view(2, 'e5'), 'move');
  check(view(1, 'e4'), view(2, 'dxe4'), 'capture');
  check(view(1, 'e4'), view(2, 'Qxf7+', { check: 'e8' }), 'check');
});

test('an end is heard instead of its move', () => {
  check(view(1, 'g4'), view(2, 'Qh4#', { check: 'e1', outcome: { kind: 'win' } }), 'end');
});

test('nothing is heard when nothing is played', () => {
  check(view(2, 'e5'), view(2, 'e5'), null);
  check(view(2, 'e5'), view(1, 'e4'), null);
  check(view(2, 'e5'), view(9, 'a3'), null);
});

test('time is low at a tenth of it, within bounds', () => {
  const low = (time: TimeControl) => lowTime({ time }, 'white');
  expect(low({ kind: 'fischer', initial_ms: 180_000, increment_ms: 0 })).toBe(18_000);
  expect(low({ kind: 'fischer', initial_ms: 15_000, increment_ms: 0 })).toBe(5_000);
  expect(low({ kind: 'fischer', initial_ms: 5_400_000, increment_ms: 0 })).toBe(30_000);
  expect(low({ kind: 'unlimited' })).toBe(0);
});
