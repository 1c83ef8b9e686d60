import { expect, test } from 'vitest';
import { rowsOf } from './score-sheet';

/** The sheet of a game's moves such as `w:e2e4`: a line is its number, White's moves, Black's moves. */
function sheet(...entries: string[]): string[] {
  return sheetFrom('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', ...entries);
}

/** The same from another first position. */
function sheetFrom(start: string, ...entries: string[]): string[] {
  const moves = entries.map((entry) => ({
    by: entry.startsWith('w') ? ('white' as const) : ('black' as const),
    uci: entry.slice(2),
  }));
  const cell = (indexes: number[]): string => indexes.map((i) => moves[i]?.uci ?? '').join(' ') || '…';
  return rowsOf(start, moves).map(({ number, white, black }) => `${number} ${cell(white)} ${cell(black)}`);
}

test('moves stand by twos', () => {
  expect(sheet('w:e2e4', 'b:e7e5', 'w:g1f3')).toEqual(['1 e2e4 e7e5', '2 g1f3 …']);
  expect(sheet()).toEqual([]);
});

test('Black may begin', () => {
  expect(sheet('b:B@f6', 'w:--', 'b:K@e7', 'w:--')).toEqual(['1 … B@f6', '2 -- K@e7', '3 -- …']);
});

test('the numbers go on from those of the first position', () => {
  expect(sheetFrom('8/5k2/8/8/8/8/5PK1/8 b - - 3 41', 'b:f7e6', 'w:f2f4', 'b:e6f5')).toEqual([
    '41 … f7e6',
    '42 f2f4 e6f5',
  ]);
  for (const start of ['faces e1w3fa0k w 0 -', 'gmo1 - w 0 - -', '8/8/8/8/8/8/8/8 w - - 0 0']) {
    expect(sheetFrom(start, 'w:e2e4')).toEqual(['1 e2e4 …']);
  }
});

test('a promotion stands beside the move it belongs to', () => {
  expect(sheet('w:a7b8', 'w:=b8:5', 'b:h7h6', 'w:b8a8')).toEqual(['1 a7b8 =b8:5 h7h6', '2 b8a8 …']);
  expect(sheet('w:e2e4', 'b:a2a1', 'b:=a1:3', 'w:e4e5')).toEqual(['1 e2e4 a2a1 =a1:3', '2 e4e5 …']);
});

test('a pawn that the other has moved is promoted by its owner, who then moves', () => {
  expect(sheet('w:e2e4', 'b:=a1:3', 'b:h7h6', 'w:e4e5')).toEqual(['1 e2e4 =a1:3 h7h6', '2 e4e5 …']);
  expect(sheet('w:e2e4', 'b:h7h6', 'w:=a8:3', 'w:e4e5')).toEqual(['1 e2e4 =a8:3 h7h6', '2 e4e5 …']);
});
