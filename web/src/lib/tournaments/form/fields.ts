// The fields of an event's form that the server may find wrong, by their names in the API.
export const EVENT_FIELDS = [
  'name',
  'rounds',
  'time',
  'tie_breaks',
  'points',
  'entry.most_players',
  'entry.lowest_rating',
  'pace',
  'pace.disconnect_seconds',
  'pace.round_minutes',
  'at_once',
  'start',
  'rated',
  'report',
  'forbidden',
  'arena.minutes',
  'knockout.games',
  'knockout.tie_break_games',
  'knockout.tie_break_time',
  'gmo.max_blocks',
] as const;

/** Those that stand behind "More regulations". */
const FOLDED: ReadonlySet<string> = new Set<(typeof EVENT_FIELDS)[number]>([
  'tie_breaks',
  'points',
  'entry.most_players',
  'entry.lowest_rating',
  'forbidden',
  'report',
]);

/** What is wrong, by field. */
export type EventErrors = Partial<Record<(typeof EVENT_FIELDS)[number], string | undefined>>;

/** Whether something is wrong that cannot be seen while the further regulations are folded away. */
export const hasFoldedError = (errors: EventErrors): boolean =>
  Object.entries(errors).some(([name, error]) => error !== undefined && FOLDED.has(name));
