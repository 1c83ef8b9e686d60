import { expect, test } from 'vitest';
import { byTimeLeft, DAY, HOUR, leftText, spokenLeft } from './days';

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

test('the next game is the one with the least time', () => {
  const card = (id: string, to_act: 'white' | 'black' | null, white_ms: number | null, black_ms: number | null) => ({
    ...{ id, to_act },
    clocks: { white_ms, black_ms, running: to_act, frozen_ms: null, delay_ms: null, first_move_ms: null },
  });
  const games = [
    card('no clock', 'white', null, null),
    card('two days', 'black', DAY, 2 * DAY),
    card('armies', null, DAY, DAY),
    card('an hour', 'white', HOUR, 3 * DAY),
  ];
  expect(byTimeLeft(games).map(({ id }) => id)).toEqual(['an hour', 'two days', 'no clock', 'armies']);
});
