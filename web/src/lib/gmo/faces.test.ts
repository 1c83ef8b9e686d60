import { expect, test } from 'vitest';
import { fateOf, isFaces, readFaces } from './faces';

test('a position of faces is read piece by piece', () => {
  const { pieces, promotions } = readFaces('faces a1w00ffk,b2wabcdp,h8b1234pk w 12 b8,c8');
  expect(promotions).toEqual(['b8', 'c8']);
  expect(pieces).toEqual([
    { square: 'a1', owner: 'white', look: 255, isPawn: false, isKing: true },
    { square: 'b2', owner: 'white', look: 0xabcd, isPawn: true, isKing: false },
    { square: 'h8', owner: 'black', look: 0x1234, isPawn: true, isKing: true },
  ]);
});

test('a game before its armies has no pieces', () => {
  expect(readFaces('faces - w 0 -')).toEqual({ pieces: [], promotions: [] });
});

test('other positions are no faces', () => {
  expect(isFaces('8/8/8/8/8/8/8/8 w - - 0 1')).toBe(false);
  expect(readFaces('rubbish').pieces).toEqual([]);
});

test('what chance added to a move is read from the move list', () => {
  expect(fateOf('e2e4')).toEqual({ landing: null, hasMutated: false });
  expect(fateOf('e2e4>f5')).toEqual({ landing: 'f5', hasMutated: false });
  expect(fateOf('a1a1~')).toEqual({ landing: null, hasMutated: true });
  expect(fateOf('e2e4>f5~')).toEqual({ landing: 'f5', hasMutated: true });
  expect(fateOf('=e8:5')).toEqual({ landing: null, hasMutated: false });
});
