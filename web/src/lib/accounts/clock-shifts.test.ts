import { expect, test } from 'vitest';
import { shiftsAfter, type Offset } from './clock-shifts';

/** The offset of a zone, as any browser knows it. */
function zone(name: string): Offset {
  const format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' });
  return (at) => {
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? ['', '+', '0', '0'];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

const NOVEMBER = Date.UTC(2026, 10, 18, 12, 34, 56, 789);

test('the changes of the coming years are found to the minute', () => {
  const shifts = shiftsAfter(NOVEMBER, zone('Europe/Prague'));
  expect(shifts.slice(0, 2)).toEqual([
    { at: Date.UTC(2027, 2, 28, 1), utc_offset_minutes: 120 },
    { at: Date.UTC(2027, 9, 31, 1), utc_offset_minutes: 60 },
  ]);
  expect(shifts).toHaveLength(10);
  expect(shiftsAfter(NOVEMBER, zone('Australia/Lord_Howe'))[0]).toEqual({
    at: Date.UTC(2027, 3, 3, 15),
    utc_offset_minutes: 630,
  });
});

test('a clock that is never changed has none', () => {
  expect(shiftsAfter(NOVEMBER, zone('Asia/Tokyo'))).toEqual([]);
});
