// Times of day as the people here read them.
import type { ScoreGroup } from '$lib/api/types';

/** Groups by the hour in UTC, by the hour here instead. The difference of today is taken for the whole year. */
export function localHours(groups: readonly ScoreGroup[], offsetMinutes: number): ScoreGroup[] {
  const hour = (utc: string): string => {
    const local = Number(utc) + Math.round(offsetMinutes / 60);
    return String(((local % 24) + 24) % 24).padStart(2, '0');
  };
  const moved = groups.map((group) => ({ ...group, name: hour(group.name) }));
  return moved.sort((a, b) => a.name.localeCompare(b.name));
}
