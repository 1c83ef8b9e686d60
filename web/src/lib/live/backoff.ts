/** How long to wait before each new try to connect; the last one is repeated. */
const STEPS_MS = [200, 500, 1_000, 2_000, 3_000, 5_000];

/**
 * The wait before try number `attempt` (from 0), in milliseconds.
 *
 * `chance` (0 to 1) spreads the clients of a restarted server over time: half of the wait is fixed, half is drawn.
 */
export function backoff(attempt: number, chance: number): number {
  const step = STEPS_MS[Math.min(attempt, STEPS_MS.length - 1)] ?? 0;
  return Math.round(step / 2 + (step / 2) * chance);
}
