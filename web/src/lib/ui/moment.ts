// Moments as people write them. The language is the page's, the time zone the reader's.

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `3 May 2026`. */
export const dayText = (at: number): string => DAY.format(at);

/** `3 May 2026, 14:05`. */
export const momentText = (at: number): string => MOMENT.format(at);
