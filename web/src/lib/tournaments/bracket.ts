// Where the matches of a bracket stand, so that each is between the two it comes from.
import type { BracketView, KnockoutMatch } from '$lib/api/types';

/** A match with its place: its column from 0, and its place in that column, counting empty ones. */
export interface Placed {
  found: KnockoutMatch;
  column: number;
  slot: number;
}

/** Places all matches, beginning with the final; the match for the third place has none and comes last. */
export function placeMatches({ rounds }: BracketView): { placed: Placed[]; third: KnockoutMatch | null } {
  const placed: Placed[] = [];
  const last = rounds.length - 1;
  const put = (column: number, number: number, slot: number): void => {
    const found = rounds[column]?.find((each) => each.number === number);
    if (found === undefined) return;
    placed.push({ found, column, slot });
    found.from.forEach((from, side) => {
      if (from !== null) put(column - 1, from, 2 * slot + side);
    });
  };
  put(last, 1, 0);
  placed.sort((a, b) => a.column - b.column || a.slot - b.slot);
  return { placed, third: rounds[last]?.find((found) => found.third_place) ?? null };
}

/** Whether all matches of a round have their winners: the last round may have two, the final and the one for third place. */
export const isDecided = (matches: KnockoutMatch[] | undefined): boolean =>
  matches !== undefined && matches.length > 0 && matches.every(({ winner }) => winner !== null);

/** The matches without a winner whose players are both known. */
export const undecidedIn = (bracket: BracketView | null | undefined): KnockoutMatch[] =>
  (bracket?.rounds.flat() ?? []).filter(
    ({ winner, players }) => winner === null && players.every((player) => player !== null),
  );

/** Whether a match was played and neither is ahead. */
export const isLevel = ({ score }: KnockoutMatch): boolean => score.length > 0 && score[0] === score[1];
