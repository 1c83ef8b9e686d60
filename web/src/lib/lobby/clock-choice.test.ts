import { expect, test } from 'vitest';
import { timeControlText } from '$lib/games/time';
import { ClockDraft, fischer, PRESETS } from './clock-choice.svelte';

function check(choice: string, minutes: number, seconds: number, text: string) {
  const clock = new ClockDraft();
  Object.assign(clock, { choice, minutes, seconds });
  expect(timeControlText(clock.time)).toBe(text);
}

test('a preset ignores the sliders', () => {
  check('5+0', 180, 180, '5+0');
  check('15+10', 1, 1, '15+10');
});

test('a custom clock is what the sliders say', () => {
  check('custom', 7, 4, '7+4');
  check('custom', 0.5, 1, '½+1');
});

test('no clock is no clock', () => {
  check('unlimited', 5, 0, '∞');
});

test('presets are named by what they are', () => {
  for (const { name, minutes, seconds } of PRESETS) {
    expect(timeControlText(fischer(minutes, seconds))).toBe(name);
  }
});

/** A clock made of stages. */
function detailed(): ClockDraft {
  const clock = new ClockDraft();
  Object.assign(clock, { choice: 'custom', isDetailed: true });
  return clock;
}

test('the last stage is for all the moves that are left', () => {
  const clock = detailed();
  expect(timeControlText(clock.time)).toBe('90+30');
  clock.add('white');
  expect(timeControlText(clock.time)).toBe('40/90+30, 30+30');
  clock.remove('white');
  clock.remove('white');
  expect(timeControlText(clock.time)).toBe('90+30');
});

test('the sides have the same time unless they play with odds', () => {
  const clock = detailed();
  clock.stages.black = [{ moves: 40, minutes: 5, kind: 'delay', seconds: 2 }];
  expect(timeControlText(clock.time)).toBe('90+30');
  clock.hasOdds = true;
  expect(timeControlText(clock.time)).toBe('90+30 : 5d2');
});

test('a bank holds twice what it begins with unless another cap was chosen, and never less', () => {
  const clock = new ClockDraft();
  Object.assign(clock, { choice: 'days', bank: 10 });
  const day = 86_400_000;
  expect(clock.time).toMatchObject({ bank_ms: 10 * day, cap_ms: 20 * day });
  clock.cap = 30;
  expect(clock.time).toMatchObject({ cap_ms: 30 * day });
  clock.bank = 45;
  expect(clock.time).toMatchObject({ cap_ms: 45 * day });
  clock.bank = 0;
  expect(clock.time).toMatchObject({ bank_ms: null, cap_ms: null });
});
