// What an engine that speaks UCI is told and says. No rule of chess: positions and moves are passed on as they are.
import type { Score } from '$lib/api/types';

/** What an engine says of one line. */
export interface UciLine {
  rank: number;
  depth: number;
  nodes: number;
  speed: number;
  /** As White sees it. */
  score: Score;
  moves: string[];
}

/** Reads an `info` with a line; null for everything else, such as bounds and numbers that only pass by. */
export function readInfo(text: string, isWhite: boolean): UciLine | null {
  const words = text.trim().split(/\s+/);
  const pv = words.indexOf('pv');
  if (words[0] !== 'info' || pv < 0 || words.includes('lowerbound') || words.includes('upperbound')) return null;
  const after = (name: string): number => {
    const at = words.indexOf(name);
    return at < 0 || at > pv ? NaN : Number(words[at + 1]);
  };
  const sign = isWhite ? 1 : -1;
  const [cp, mate] = [after('cp'), after('mate')];
  const moves = words.slice(pv + 1);
  if (moves.length === 0 || (Number.isNaN(cp) && Number.isNaN(mate))) return null;
  const or = (value: number, other: number): number => (Number.isNaN(value) ? other : value);
  return {
    rank: or(after('multipv'), 1),
    depth: or(after('depth'), 0),
    nodes: or(after('nodes'), 0),
    speed: or(after('nps'), 0),
    score: Number.isNaN(mate) ? { kind: 'cp', value: sign * cp } : { kind: 'mate', value: sign * mate },
    moves,
  };
}

/**
 * Takes the newest line of its rank. A line that has risen or fallen changes places with the one that stood there: lines
 * come one by one, and until the other one has come too the same move would stand in two places.
 */
export function take(lines: Map<number, UciLine>, line: UciLine): void {
  const before = lines.get(line.rank);
  const same = [...lines.values()].find(({ rank, moves }) => rank !== line.rank && moves[0] === line.moves[0]);
  if (same !== undefined) {
    if (before === undefined) lines.delete(same.rank);
    else lines.set(same.rank, { ...before, rank: same.rank });
  }
  lines.set(line.rank, line);
}

/** The best move of a `bestmove`; null for everything else and where there is none. */
export function readBest(text: string): string | null {
  const [word, move] = text.trim().split(/\s+/);
  return word === 'bestmove' && move !== undefined && move !== '(none)' ? move : null;
}

/** The same position with the other side to move: what it would do if this one passed. */
export function passed(fen: string): string {
  const [placement = '', side = 'w', castling = '-', , halfmoves = '0', number = '1'] = fen.split(' ');
  return [placement, side === 'w' ? 'b' : 'w', castling, '-', halfmoves, number].join(' ');
}
