// The geometry of an evaluation graph: White's chances over the moves. Drawing it is the component's business.
import type { GameReport } from '$lib/api/types';

/** A place of the graph: how many moves are played there, and where it is drawn. */
export interface Place {
  moves: number;
  x: number;
  y: number;
}

export interface Graph {
  places: Place[];
  /** The line as an SVG path. */
  line: string;
  /** White's part: below the line, down to the bottom. */
  area: string;
}

/** Lays the chances out in a picture of this size. The first place is the position before the first move. */
export function layOut(report: Pick<GameReport, 'start_win' | 'moves'>, width: number, height: number): Graph {
  const wins = [report.start_win, ...report.moves.map((move) => move.win)];
  const step = width / Math.max(1, wins.length - 1);
  const first = (report.moves[0]?.ply ?? 1) - 1;
  const places = wins.map((win, i) => ({ moves: first + i, x: i * step, y: height * (1 - win / 100) }));
  const points = places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
  return { places, line: `M${points}`, area: `M0 ${height}L${points}L${width} ${height}Z` };
}

/** The place nearest to where one points. */
export function nearest(graph: Graph, x: number): Place | null {
  return graph.places.reduce<Place | null>(
    (best, place) => (best === null || Math.abs(place.x - x) < Math.abs(best.x - x) ? place : best),
    null,
  );
}
