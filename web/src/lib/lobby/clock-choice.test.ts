import { expect, test } from 'vitest';
import { timeControlText } from '$lib/games/time';
import { chosenTime, fischer, PRESETS } from './clock-choice';

function check(choice: string, minutes: number, seconds: number, text: string) {
  expect(timeControlText(chosenTime(choice, minutes, seconds))).toBe(text);
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
