import { expect, test } from 'vitest';
import { BEAT_MS, Pulse } from './pulse';

test('a line that speaks is not asked', () => {
  const pulse = new Pulse(0, 40);
  pulse.heard(900);
  expect(pulse.feel(1_500, true)).toBe('wait');
  expect(pulse.feel(1_900, true)).toBe('ask');
});

test('where nothing is awaited a line may be silent for longer', () => {
  const pulse = new Pulse(0, 40);
  expect(pulse.feel(14_000, false)).toBe('wait');
  expect(pulse.feel(15_000, false)).toBe('ask');
});

test('a quick line that does not answer is dead in time for a new one within three seconds', () => {
  // Whenever it was felt last before it died, and whether it had been asked before.
  for (let phase = 0; phase < BEAT_MS; phase += 10) {
    for (const isNew of [true, false]) {
      const pulse = new Pulse(0, 40);
      let now = phase;
      const beat = () => pulse.feel((now += BEAT_MS), true);
      let lastHeard = 0;
      if (!isNew) {
        while (beat() !== 'ask');
        lastHeard = now + 30;
        pulse.heard(lastHeard);
      }
      while (beat() !== 'dead');
      expect(now - lastHeard).toBeLessThanOrEqual(2_750);
    }
  }
});

test('a line that was slow to open gets more patience from its beginning', () => {
  const pulse = new Pulse(0, 2_000);
  expect(pulse.feel(1_000, true)).toBe('ask');
  for (const now of [2_000, 3_000, 4_000, 5_000]) expect(pulse.feel(now, true)).toBe('wait');
  expect(pulse.feel(5_250, true)).toBe('dead');
});

test('a slow line gets more patience', () => {
  const pulse = new Pulse(0, 40);
  expect(pulse.feel(1_000, true)).toBe('ask');
  pulse.heard(2_000);
  expect(pulse.feel(3_000, true)).toBe('ask');
  for (const now of [4_000, 5_000, 6_000, 7_000]) expect(pulse.feel(now, true)).toBe('wait');
  expect(pulse.feel(8_000, true)).toBe('dead');
});

test('a page that was asleep reads what has come before it judges', () => {
  const pulse = new Pulse(0, 40);
  expect(pulse.feel(1_000, true)).toBe('ask');
  expect(pulse.feel(60_000, true)).toBe('wait');
  pulse.heard(60_001);
  expect(pulse.feel(60_500, true)).toBe('wait');
});
