import { expect, test } from 'vitest';
import type { Outcome } from '$lib/api/types';
import {
  changeText,
  ratingText,
  resultReason,
  resultTitle,
  scoreText,
  spokenGame,
  spokenSan,
  typedText,
} from './words';

function checkSpoken(san: string, words: string) {
  expect(spokenSan(san)).toBe(words);
}

test('moves are said in words', () => {
  checkSpoken('e4', 'e4');
  checkSpoken('Nf3', 'Knight f3');
  checkSpoken('exd5', 'e takes d5');
  checkSpoken('Qxf7#', 'Queen takes f7, checkmate');
  checkSpoken('Rad1+', 'Rook a d1, check');
  checkSpoken('e8=N', 'e8 promotes to Knight');
  checkSpoken('O-O', 'castles short');
  checkSpoken('O-O-O+', 'castles long, check');
});

test('what was typed is asked about in the words of whoever typed it', () => {
  expect(typedText('e2e4')).toBe('e2 – e4');
  expect(typedText('Nf3')).toBe('Nf3');
  expect(typedText('O-O')).toBe('O-O');
  expect(typedText('N@c3')).toBe('Knight c3');
});

const BLACK_MATES: Outcome = { kind: 'win', winner: 'black', by: 'mate' };

test('a result is told from where one sits', () => {
  expect(resultTitle(BLACK_MATES, 'black')).toBe('You won');
  expect(resultTitle(BLACK_MATES, 'white')).toBe('You lost');
  expect(resultTitle(BLACK_MATES, null)).toBe('Black wins');
});

function checkReason(outcome: Outcome, reason: string, score: string) {
  expect(resultReason(outcome)).toBe(reason);
  expect(scoreText(outcome)).toBe(score);
}

test('a reason names who gave the game away', () => {
  checkReason(BLACK_MATES, 'Checkmate', '0–1');
  checkReason({ kind: 'win', winner: 'white', by: 'time' }, 'Black ran out of time', '1–0');
  checkReason({ kind: 'draw', by: 'agreement' }, 'Agreed by both players', '½–½');
});

test('a reason that nobody has foreseen still gives a sentence', () => {
  checkReason({ kind: 'draw', by: 'something_new' } as never, 'By the rules of this game', '½–½');
});

test('the end is said after the last move', () => {
  const move = { ply: 4, by: 'black', uci: 'd8h4', san: 'Qh4#', fen: '', check: 'e1', left_ms: null } as const;
  expect(spokenGame(move, BLACK_MATES, null)).toBe('Black: Queen h4, checkmate. Black wins. Checkmate');
});

test('after a promotion of GMO the colours are still right', () => {
  const move = { ply: 16, by: 'white', uci: '=b8:5', san: '=b8:5', fen: '', check: null, left_ms: null } as const;
  expect(spokenGame(move, null, null)).toBe('White: the pawn on b8 is promoted');
});

test('a rating says whether it is still a guess', () => {
  expect(ratingText({ rating: 1500, provisional: true })).toBe('1500?');
  expect(ratingText({ rating: 1723, provisional: false })).toBe('1723');
  expect(ratingText({ rating: null, provisional: false })).toBe('');
});

test('a change of rating has a sign', () => {
  const change = (before: number, after: number) => changeText({ before, after, provisional: false });
  expect([change(1500, 1512), change(1500, 1493), change(1500, 1500)]).toEqual(['+12', '−7', '±0']);
});
