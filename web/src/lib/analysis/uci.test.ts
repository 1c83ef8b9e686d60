import { describe, expect, test } from 'vitest';
import { passed, readBest, readInfo, take, type UciLine } from './uci';

/** What stands in each rank after these lines have come: `1e4` is e4 in the first. */
function ranked(...said: string[]): string[] {
  const lines = new Map<number, UciLine>();
  for (const text of said) {
    const [rank, move] = [Number(text[0]), text.slice(1)];
    take(lines, { rank, depth: 1, nodes: 0, speed: 0, score: { kind: 'cp', value: 0 }, moves: [move] });
  }
  return [...lines.values()].sort((a, b) => a.rank - b.rank).map(({ rank, moves }) => `${rank}${moves[0]}`);
}

describe('what an engine says', () => {
  test('no move stands in two places while lines overtake each other', () => {
    expect(ranked('1e4', '2d4', '3c4', '1d4')).toEqual(['1d4', '2e4', '3c4']);
    expect(ranked('1e4', '2d4', '3c4', '1c4')).toEqual(['1c4', '2d4', '3e4']);
    expect(ranked('1e4', '2d4', '1d4', '2e4')).toEqual(['1d4', '2e4']);
    expect(ranked('1e4', '2e4')).toEqual(['2e4']);
  });

  test('a line is read from White’s side', () => {
    const text = 'info depth 12 seldepth 18 multipv 2 score cp -31 nodes 5000 nps 250000 time 20 pv e7e5 g1f3';
    const line = { rank: 2, depth: 12, nodes: 5000, speed: 250000, moves: ['e7e5', 'g1f3'] };
    expect(readInfo(text, true)).toEqual({ ...line, score: { kind: 'cp', value: -31 } });
    expect(readInfo(text, false)).toEqual({ ...line, score: { kind: 'cp', value: 31 } });
    expect(readInfo('info depth 3 score mate -2 pv a1a2', false)?.score).toEqual({ kind: 'mate', value: 2 });
  });

  test('what is no line is passed over', () => {
    expect(readInfo('info string NNUE evaluation', true)).toBeNull();
    expect(readInfo('info depth 9 currmove e2e4 currmovenumber 1', true)).toBeNull();
    expect(readInfo('info depth 9 score cp 20 lowerbound pv e2e4', true)).toBeNull();
    expect(readInfo('bestmove e2e4', true)).toBeNull();
  });

  test('the last word is the best move', () => {
    expect(readBest('bestmove e2e4 ponder e7e5')).toBe('e2e4');
    expect(readBest('bestmove (none)')).toBeNull();
    expect(readBest('readyok')).toBeNull();
  });

  test('who passes loses the right to capture in passing', () => {
    expect(passed('8/8/8/3pP3/8/8/8/K6k w - d6 0 2')).toBe('8/8/8/3pP3/8/8/8/K6k b - - 0 2');
  });
});
