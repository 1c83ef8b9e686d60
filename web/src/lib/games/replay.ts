// The clocks of an earlier moment, from what each move has left on them.
import type { Clocks, Color, GameView } from '$lib/api/types';

/** Nothing is waited for in a moment that is over. */
const STILL = { delay_ms: null, first_move_ms: null, frozen_ms: null };

/** What both clocks showed after so many moves. They stand still: that moment is over. */
export function clocksAt(view: Pick<GameView, 'moves' | 'time'>, moves: number): Clocks {
  const played = view.moves.slice(0, moves);
  const left = (color: Color): number | null =>
    played.findLast(({ by }) => by === color)?.left_ms ?? beginning(view, color);
  return { white_ms: left('white'), black_ms: left('black'), running: null, ...STILL };
}

function beginning({ time }: Pick<GameView, 'time'>, color: Color): number | null {
  if (time.kind === 'fischer') return time.initial_ms;
  if (time.kind === 'days') return time.bank_ms ?? time.per_move_ms;
  return time.kind === 'stages' ? (time[color][0]?.time_ms ?? null) : null;
}
