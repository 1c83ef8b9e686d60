// The geometry of a rating chart: scales, ticks and the line. Drawing it is the component's business.
import type { RatingPoint } from '$lib/api/types';

/** The size of the picture, and the room for labels at its left and bottom. */
export interface Frame {
  width: number;
  height: number;
  left: number;
  bottom: number;
}

export interface Chart {
  /** The line as an SVG path. */
  line: string;
  /** The same, closed along the bottom. */
  area: string;
  /** Where each rating is. */
  dots: { x: number; y: number; point: RatingPoint }[];
  /** Ratings at the left. */
  levels: { y: number; rating: number }[];
  /** Moments at the bottom. */
  moments: { x: number; at: number }[];
}

/** Room above the highest and right of the last point, so that its dot is whole. */
const MARGIN = 8;
/** A chart never shows fewer points of rating than this: small changes shall look small. */
const LEAST_SPAN = 60;
/** Widths of a label, roughly: more moments than fit are not shown. */
const MOMENT_WIDTH = 110;

/** Steps between levels that read well. */
const STEPS = [10, 20, 25, 50, 100, 200, 250, 500, 1000];

/** Lays out a chart; null without points. */
export function layOut(points: readonly RatingPoint[], frame: Frame): Chart | null {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { lowest, highest, step } = range(points.map((point) => point.rating));
  const inner = { width: frame.width - frame.left - MARGIN, height: frame.height - frame.bottom - MARGIN };
  const span = last.at - first.at;
  const x = (at: number): number =>
    round(frame.left + (span === 0 ? inner.width / 2 : ((at - first.at) / span) * inner.width));
  const y = (rating: number): number => round(MARGIN + (1 - (rating - lowest) / (highest - lowest)) * inner.height);

  const dots = points.map((point) => ({ x: x(point.at), y: y(point.rating), point }));
  const line = dots.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const floor = frame.height - frame.bottom;
  const area = `${line}L${dots.at(-1)?.x ?? 0} ${floor}L${dots[0]?.x ?? 0} ${floor}Z`;
  const levels = [];
  for (let rating = lowest; rating <= highest; rating += step) levels.push({ y: y(rating), rating });
  const count = span === 0 ? 1 : Math.max(2, Math.min(5, Math.floor(inner.width / MOMENT_WIDTH)));
  const moments = Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? first.at : first.at + (span * i) / (count - 1);
    return { x: x(at), at };
  });
  return { line, area, dots, levels, moments };
}

/** The levels around these ratings: round numbers, three to six of them. */
function range(ratings: readonly number[]): { lowest: number; highest: number; step: number } {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const missing = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  const step = STEPS.find((step) => (high - low + 2 * missing) / step <= 4) ?? 2000;
  const lowest = Math.floor((low - missing) / step) * step;
  const highest = Math.ceil((high + missing) / step) * step;
  return { lowest, highest, step };
}

/** The dot nearest to a place on the picture. */
export function nearest(chart: Chart, x: number): Chart['dots'][number] | null {
  let best: Chart['dots'][number] | null = null;
  for (const dot of chart.dots) {
    if (best === null || Math.abs(dot.x - x) < Math.abs(best.x - x)) best = dot;
  }
  return best;
}

/** A tenth of a pixel is enough. */
function round(length: number): number {
  return Math.round(length * 10) / 10;
}
