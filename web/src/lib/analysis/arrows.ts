// Which arrows stand for the first moves of lines.

/** An arrow over the board: what it means decides how it looks. */
export interface Arrow {
  from: string;
  to: string;
  kind: 'best' | 'other' | 'hint' | 'threat';
}

/**
 * The arrows of these moves, best first; `kindOf` says what the move in a place means. A pawn that may become several
 * pieces goes the same way with each, and is drawn once.
 */
export function arrowsOf(moves: readonly string[], kindOf: (place: number) => Arrow['kind']): Arrow[] {
  const arrows: Arrow[] = [];
  for (const [place, uci] of moves.entries()) {
    if (!/^[a-h][1-8][a-h][1-8]/.test(uci)) continue;
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    if (!arrows.some((arrow) => arrow.from === from && arrow.to === to)) arrows.push({ from, to, kind: kindOf(place) });
  }
  return arrows;
}
