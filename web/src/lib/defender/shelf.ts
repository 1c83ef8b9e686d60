// Reads what may be placed where from the server's short form: `P@a2b2 N@a1b1 --`.
import type { Color, GameView } from '$lib/api/types';
import { parseDests } from '$lib/board/dests';
import type { Role } from '$lib/board/placement';

export type ShelfLetter = 'P' | 'N' | 'B' | 'R' | 'Q' | 'K';

/** What stands on the shelf, cheapest first, with what it costs. */
export const SHELF: readonly { letter: ShelfLetter; role: Role; cost: number }[] = [
  { letter: 'P', role: 'pawn', cost: 1 },
  { letter: 'N', role: 'knight', cost: 3 },
  { letter: 'B', role: 'bishop', cost: 3 },
  { letter: 'R', role: 'rook', cost: 5 },
  { letter: 'Q', role: 'queen', cost: 9 },
  { letter: 'K', role: 'king', cost: 0 },
];

/** Whether pieces are still being placed. */
export function isPlacing(view: Pick<GameView, 'variant' | 'fen'>): boolean {
  const setup = view.fen.split(' ')[6];
  return view.variant === 'defender' && setup !== undefined && setup !== 'K/K';
}

/** The squares on which a piece of the shelf may be placed. */
export function squaresFor(dests: string, letter: ShelfLetter): string[] {
  return parseDests(dests).get(`${letter}@`) ?? [];
}

/** What can never be paid with these points, whoever is to act. */
export function isTooDear(letter: ShelfLetter, points: number): boolean {
  return (SHELF.find((piece) => piece.letter === letter)?.cost ?? 0) > points;
}

/** A square as a step on the screen sees it: columns to the right, rows downwards. */
interface Place {
  square: string;
  x: number;
  y: number;
}

/** The next of these places in a direction: straight ahead first, then the least aside. None: there is nothing. */
export function nextPlace(places: readonly Place[], from: Place, dx: number, dy: number): Place | null {
  const far = ({ x, y }: Place): number => (x - from.x) * dx + (y - from.y) * dy;
  const aside = ({ x, y }: Place): number => Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
  const ahead = places.filter((place) => far(place) > 0);
  const cost = (place: Place): number => far(place) + 2 * aside(place);
  return [...ahead].sort((one, other) => cost(one) - cost(other))[0] ?? null;
}

/** Whether placing may be finished early. */
export function mayFinish(dests: string): boolean {
  return dests.split(' ').includes('--');
}

/** What a side has left: points, or that its king stands. */
export function pointsOf(fen: string, color: Color): { points: number; isCrowned: boolean } {
  const text = (fen.split(' ')[6] ?? 'K/K').split('/')[color === 'white' ? 0 : 1] ?? 'K';
  return { points: text === 'K' ? 0 : Number(text), isCrowned: text === 'K' };
}
