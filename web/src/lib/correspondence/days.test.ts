import { expect, test } from 'vitest';
import { DAY, HOUR, leftText, spokenLeft } from './days';

test('what is left is told in the two units that matter', () => {
  const check = (ms: number, text: string, spoken: string) => {
    expect(leftText(ms)).toBe(text);
    expect(spokenLeft(ms)).toBe(spoken);
  };
  check(2 * DAY + 5 * HOUR + 59 * 60_000, '2 d 5 h', '2 days');
  check(DAY, '1 d 0 h', '1 day');
  check(5 * HOUR + 12 * 60_000, '5 h 12 min', '5 hours');
  check(12 * 60_000 + 59_000, '12 min', '12 minutes');
  check(-5, '0 min', '0 minutes');
});
