// What the timer of the hall says about the round that is played.
import type { EventView } from '$lib/api/types';

/** The round runs for so long, has so long left, or should have ended so long ago. */
export interface Timer {
  kind: 'runs' | 'left' | 'over';
  round: number;
  ms: number;
}

/** The timer at a moment of the server's clock; none where no round is open or games keep their own time. */
export function timerOf(event: Pick<EventView, 'state' | 'rounds' | 'regulations'>, at: number): Timer | null {
  const round = event.rounds.at(-1);
  if (event.state !== 'running' || event.regulations.online || round === undefined || round.open === 0) return null;
  const runs = Math.max(0, at - round.published_at);
  const minutes = event.regulations.pace.round_minutes;
  if (minutes === 0) return { kind: 'runs', round: round.number, ms: runs };
  const left = minutes * 60_000 - runs;
  return { kind: left > 0 ? 'left' : 'over', round: round.number, ms: Math.abs(left) };
}
