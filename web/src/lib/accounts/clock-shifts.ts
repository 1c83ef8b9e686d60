// When this browser's clock is changed: summer time begins or ends. The server keeps no table of the world's zones, so it
// is told the years to come.

/** How far a clock is ahead of UTC at a moment, in minutes. */
export type Offset = (at: number) => number;

export const hereOffset: Offset = (at) => -new Date(at).getTimezoneOffset();

/** A moment from which on the clock is ahead of UTC by something else. */
export interface ClockShift {
  at: number;
  utc_offset_minutes: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEARS = 5;

/** The changes of the coming years, in order. A zone that changes twice within a day is not known to anybody. */
export function shiftsAfter(now: number, offset: Offset = hereOffset): ClockShift[] {
  const shifts: ClockShift[] = [];
  // From a whole minute on: that is where changes are.
  const start = Math.floor(now / MINUTE) * MINUTE;
  for (let from = start; from < start + YEARS * 365 * DAY; from += DAY) {
    const to = from + DAY;
    if (offset(from) === offset(to)) continue;
    const at = firstAfter(from, to, (moment) => offset(moment) === offset(to));
    shifts.push({ at, utc_offset_minutes: offset(to) });
  }
  return shifts;
}

/** The first whole minute in between for which something holds that holds at the end and not at the beginning. */
function firstAfter(from: number, to: number, holds: (at: number) => boolean): number {
  let [before, after] = [from, to];
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
    if (holds(middle)) after = middle;
    else before = middle;
  }
  return after;
}
