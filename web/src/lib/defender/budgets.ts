// The points both sides of ChessDefender begin with, as the seventh field of a start position says it.

/** What two players may have at least and at most, each. */
export const BUDGET = { least: 1, most: 60 } as const;
/** What a casual game has if nothing else is agreed; rated ones give Black two more, which makes up for moving second. */
export const USUAL_BUDGETS = { white: 20, black: 20 } as const;
export const RATED_BUDGETS = { white: 20, black: 22 } as const;

export interface Budgets {
  white: number;
  black: number;
}

/** The start position of these budgets; none for the usual ones, which every game has by itself. */
export function startOf({ white, black }: Budgets): string | null {
  const isUsual = white === USUAL_BUDGETS.white && black === USUAL_BUDGETS.black;
  return isUsual ? null : `8/8/8/8/8/8/8/8 w - - 0 1 ${white}/${black}`;
}

/** The budgets of a start position; none where a side has its king already and so buys nothing. */
export function budgetsOf(start: string): Budgets | null {
  const [, white, black] = /^(\d+)\/(\d+)$/.exec(start.split(' ')[6] ?? '') ?? [];
  return white === undefined || black === undefined ? null : { white: Number(white), black: Number(black) };
}

/** Whether two players may have this. */
export const isBudget = (points: number): boolean =>
  Number.isInteger(points) && points >= BUDGET.least && points <= BUDGET.most;
