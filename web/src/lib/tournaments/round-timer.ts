// What the timer of the hall says about the round that is played.
import type { EventView } from '$lib/api/types';

/**
 * The round has not begun, runs for so long, has so long left, or should have ended so long ago. One that stands still
 * says how long it has left, or how long it had run.
 */
export interface Timer {
  kind: 'ready' | 'runs' | 'left' | 'over' | 'stands';
  round: number;
  ms: number;
}

type Timed = Pick<EventView, 'state' | 'rounds' | 'regulations' | 'timer'>;

/** Whether a round is played over the board now: games that are played here keep their own time. */
export function hasTimer({ state, rounds, regulations }: Timed): boolean {
  return state === 'running' && !regulations.online && (rounds.at(-1)?.open ?? 0) > 0;
}

/** The timer at a moment of the server's clock; none where there is nothing to time, or nobody does. */
export function timerOf(event: Timed, at: number): Timer | null {
  const round = event.rounds.at(-1)?.number;
  const { timer, regulations } = event;
  const minutes = regulations.pace.round_minutes;
  if (!hasTimer(event) || round === undefined || (timer === null && minutes === 0)) return null;
  const since = timer?.since ?? null;
  const runs = (timer?.ran_ms ?? 0) + (since === null ? 0 : Math.max(0, at - since));
  const left = (minutes + (timer?.added_minutes ?? 0)) * 60_000 - runs;
  if (since === null && runs === 0) return { kind: 'ready', round, ms: minutes === 0 ? 0 : left };
  if (since === null) return { kind: 'stands', round, ms: minutes === 0 ? runs : Math.max(0, left) };
  if (minutes === 0) return { kind: 'runs', round, ms: runs };
  return { kind: left > 0 ? 'left' : 'over', round, ms: Math.abs(left) };
}
