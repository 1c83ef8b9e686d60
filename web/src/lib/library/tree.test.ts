import { describe, expect, it } from 'vitest';
import type { MoveNode } from '$lib/api/types';
import { checked, clocksAt, linkLine, moveNumber, type Spot } from './tree';

const node = (ply: number, san: string, variations: MoveNode[][] = []): MoveNode => ({
  ply,
  san,
  uci: '',
  fen: san,
  check: false,
  variations: variations.map((moves) => ({ moves })),
});

describe('the tree of a game', () => {
  it('knows the king that a move gives check to', () => {
    const fen = 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3';
    expect(checked({ ...node(4, 'Qh4#'), fen, check: true })).toBe('e1');
    expect(checked({ ...node(4, 'Qh4#'), fen: fen.replace(' w ', ' b '), check: true })).toBe('e8');
    expect(checked({ ...node(4, 'Qh4#'), fen })).toBeNull();
    expect(checked(undefined)).toBeNull();
  });

  it('leads along the main line and out of a variation to where it began', () => {
    const c5 = node(2, 'c5');
    const moves = [node(1, 'e4'), node(2, 'e5', [[c5, node(3, 'Nf3')]]), node(3, 'Nc3')];
    const all = new Map<MoveNode, Spot>();
    const line = linkLine(moves, null, all);
    expect(line.map((spot) => spot.after?.node.san)).toEqual(['e5', 'Nc3', undefined]);
    expect(all.get(c5)?.before?.node.san).toBe('e4');
    expect(all.get(c5)?.after?.node.san).toBe('Nf3');
    expect(all.size).toBe(5);
  });

  it('numbers moves as a book does', () => {
    expect([moveNumber(1, true), moveNumber(2, false), moveNumber(2, true), moveNumber(3, false)]).toEqual([
      '1.',
      '',
      '1…',
      '2.',
    ]);
  });

  it('knows what each side had left when a move was played', () => {
    const timed = (ply: number, clock_ms: number): MoveNode => ({
      ...node(ply, 'x'),
      fen: `8/8/8/8/8/8/8/8 ${ply % 2 === 1 ? 'b' : 'w'}`,
      clock_ms,
    });
    const line = linkLine([timed(1, 60_000), timed(2, 59_000), timed(3, 55_000)], null, new Map());
    expect(clocksAt(null)).toEqual({ white: null, black: null });
    expect(clocksAt(line[0] ?? null)).toEqual({ white: 60_000, black: null });
    expect(clocksAt(line[2] ?? null)).toEqual({ white: 55_000, black: 59_000 });
  });
});
