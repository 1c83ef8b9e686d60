// Moments as the browser's field for date and time has them: local time, `2026-11-16T18:00`.

/** A moment as the field wants it. */
export function localText(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}

/** The moment that the field says; null if it is empty. */
export const momentOf = (text: string): number | null => (text === '' ? null : new Date(text).getTime());
