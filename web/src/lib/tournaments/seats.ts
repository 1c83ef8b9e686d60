// Who sits where in a round that is changed by hand. Everybody is in one place, so a player is named by number alone.
import type { BoardPlan, ByeKind, ByeView } from '$lib/api/types';

export interface Seats {
  boards: BoardPlan[];
  byes: ByeView[];
}

const isFree = ({ byes }: Seats, player: number): boolean => byes.some((bye) => bye.player === player);

/** Two players change places; two who are both free meet at a new board. */
export function exchange(seats: Seats, one: number, other: number): Seats {
  if (isFree(seats, one) && isFree(seats, other)) {
    return {
      boards: [...seats.boards, { white: one, black: other }],
      byes: seats.byes.filter(({ player }) => player !== one && player !== other),
    };
  }
  const place = (player: number): number => (player === one ? other : player === other ? one : player);
  return {
    boards: seats.boards.map(({ white, black }) => ({ white: place(white), black: place(black) })),
    byes: seats.byes.map(({ player, bye }) => ({ player: place(player), bye })),
  };
}

/** The board of a player, from 0; none for who is free. */
export function boardOf({ boards }: Seats, player: number): number | null {
  const found = boards.findIndex(({ white, black }) => white === player || black === player);
  return found < 0 ? null : found;
}

/** The two of a board do not play. */
export function takeApart(seats: Seats, board: number): Seats {
  const gone = seats.boards[board];
  if (gone === undefined) return seats;
  const free = [gone.white, gone.black].map((player): ByeView => ({ player, bye: 'zero' }));
  return { boards: seats.boards.filter((_, i) => i !== board), byes: [...seats.byes, ...free] };
}

/** Somebody who is free gets another bye. */
export function setByeOf({ boards, byes }: Seats, player: number, bye: ByeKind): Seats {
  return { boards, byes: byes.map((each) => (each.player === player ? { player, bye } : each)) };
}
