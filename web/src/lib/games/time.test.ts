import { expect, test } from 'vitest';
import type { Bonus, Clocks, Stage } from '$lib/api/types';
import { clockText, leftAfter, timeControlText } from './time';

function checkClock(ms: number, face: string) {
  expect(clockText(ms)).toBe(face);
}

test('a clock shows minutes and seconds', () => {
  checkClock(300_000, '5:00');
  checkClock(299_999, '4:59');
  checkClock(61_000, '1:01');
  checkClock(10_000, '0:10');
});

test('a clock shows hours only when there are any', () => {
  checkClock(3_600_000, '1:00:00');
  checkClock(3_599_999, '59:59');
  checkClock(36_065_000, '10:01:05');
});

test('a clock shows tenths in the last ten seconds and never rounds up', () => {
  checkClock(9_999, '0:09.9');
  checkClock(9_400, '0:09.4');
  checkClock(50, '0:00.0');
});

test('a clock never shows less than nothing', () => {
  checkClock(0, '0:00.0');
  checkClock(-5_000, '0:00.0');
});

function checkControl(minutes: number, seconds: number, text: string) {
  expect(timeControlText({ kind: 'fischer', initial_ms: minutes * 60_000, increment_ms: seconds * 1000 })).toBe(text);
}

test('a time control is written as minutes plus seconds', () => {
  checkControl(5, 3, '5+3');
  checkControl(0.5, 0, '½+0');
  checkControl(1.5, 2, '1.5+2');
  checkControl(180, 180, '180+180');
  expect(timeControlText({ kind: 'unlimited' })).toBe('∞');
  const days = { kind: 'days', per_move_ms: 259_200_000, cap_ms: null, leave_days: 0, weekends_free: false } as const;
  expect(timeControlText({ ...days, bank_ms: null })).toBe('3 d');
  expect(timeControlText({ ...days, per_move_ms: 43_200_000, bank_ms: 864_000_000 })).toBe('10 d + 12 h');
  expect(clockText(2 * 86_400_000 + 5 * 3_600_000 + 1)).toBe('2d 5h');
});

const stage = (moves: number | null, minutes: number, kind: Bonus['kind'], seconds: number): Stage => ({
  ...{ moves, time_ms: minutes * 60_000, bonus: kind === 'none' ? { kind } : { kind, ms: seconds * 1000 } },
});

function checkStages(white: Stage[], black: Stage[], text: string) {
  expect(timeControlText({ kind: 'stages', white, black })).toBe(text);
}

test('stages, delays and odds have a shorthand too', () => {
  const delay = [stage(null, 5, 'delay', 2)];
  const long = [stage(40, 90, 'fischer', 30), stage(null, 30, 'fischer', 30)];
  checkStages(delay, delay, '5d2');
  checkStages([stage(null, 3, 'bronstein', 2)], [stage(null, 3, 'bronstein', 2)], '3b2');
  checkStages(long, long, '40/90+30, 30+30');
  checkStages([stage(null, 5, 'none', 0)], [stage(null, 2, 'none', 0)], '5+0 : 2+0');
});

function checkLeft(clocks: Partial<Clocks>, passed: number, left: number | null) {
  const told = { white_ms: 60_000, black_ms: null, running: 'white', delay_ms: null, frozen_ms: null } as Clocks;
  expect(leftAfter({ ...told, ...clocks }, 'white', passed)).toBe(left);
}

test('a running clock counts down from what was told, and only the running one', () => {
  checkLeft({}, 4_000, 56_000);
  checkLeft({}, -5, 60_000);
  checkLeft({ running: 'black' }, 4_000, 60_000);
  checkLeft({ white_ms: null }, 4_000, null);
});

test('a clock stands while its delay runs, and while the game is frozen', () => {
  checkLeft({ delay_ms: 5_000 }, 4_999, 60_000);
  checkLeft({ delay_ms: 5_000 }, 7_000, 58_000);
  checkLeft({ delay_ms: 5_000, frozen_ms: 1_000 }, 7_000, 59_000);
});
