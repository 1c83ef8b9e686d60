import { expect, test } from 'vitest';
import { Pulse } from './pulse';

test('a line that speaks is not asked', () => {
  const pulse = new Pulse(0);
  pulse.heard(900);
  expect(pulse.feel(1_500, true)).toBe('wait');
  expect(pulse.feel(1_900, true)).toBe('ask');
});

test('away from the board a line may be silent for longer', () => {
  const pulse = new Pulse(0);
  expect(pulse.feel(14_000, false)).toBe('wait');
  expect(pulse.feel(15_000, false)).toBe('ask');
});

test('a quick line that does not answer is dead within three seconds', () => {
  const pulse = new Pulse(0);
  expect(pulse.feel(1_000, true)).toBe('ask');
  pulse.heard(1_030);
  expect(pulse.feel(2_030, true)).toBe('ask');
  for (const now of [2_530, 3_030]) expect(pulse.feel(now, true)).toBe('wait');
  expect(pulse.feel(3_530, true)).toBe('dead');
});

test('a slow line gets more patience', () => {
  const pulse = new Pulse(0);
  expect(pulse.feel(1_000, true)).toBe('ask');
  pulse.heard(2_000);
  expect(pulse.feel(3_000, true)).toBe('ask');
  for (const now of [4_000, 5_000, 6_000, 7_000]) expect(pulse.feel(now, true)).toBe('wait');
  expect(pulse.feel(8_000, true)).toBe('dead');
});

test('a page that was asleep reads what has come before it judges', () => {
  const pulse = new Pulse(0);
  expect(pulse.feel(1_000, true)).toBe('ask');
  expect(pulse.feel(60_000, true)).toBe('wait');
  pulse.heard(60_001);
  expect(pulse.feel(60_500, true)).toBe('wait');
});
