import { expect, test } from 'vitest';
import type { GameSummary } from '$lib/api/types';
import { changeText, dateText, kindText, moveCount, poolName, resultFor, sideOf } from './names';

const someone = (name: string) => ({ id: name, name, guest: false });

/** A game of Anna with White against Berta. */
function game(part: Partial<GameSummary> = {}): GameSummary {
  return {
    id: 'abcdefgh',
    variant: 'standard',
    speed: 'blitz',
    time: { kind: 'fischer', initial_ms: 180_000, increment_ms: 2_000 },
    rated: true,
    players: { white: someone('Anna'), black: someone('Berta') },
    ratings: { white: 1500, black: 1480 },
    changes: { white: 8, black: -8 },
    outcome: { kind: 'win', winner: 'white', by: 'mate' },
    plies: 57,
    fen: '8/8/8/8/8/8/8/8 w - - 0 1',
    last: null,
    opening: null,
    created_at: 0,
    ended_at: 0,
    ...part,
  } as GameSummary;
}

test('a pool of chess is called by its speed, any other with its variant', () => {
  expect(poolName({ variant: 'standard', speed: 'blitz' })).toBe('Blitz');
  expect(poolName({ variant: 'chess960', speed: 'rapid' })).toBe('Chess960 · Rapid');
  expect(poolName({ variant: 'atomic', speed: 'hyper' })).toBe('atomic · hyper');
});

test('the result depends on whose history it is, whatever the case of the name', () => {
  expect([sideOf(game(), 'ANNA'), sideOf(game(), 'berta')]).toEqual(['white', 'black']);
  expect([resultFor(game(), 'white'), resultFor(game(), 'black')]).toEqual(['won', 'lost']);
  expect(resultFor(game({ outcome: { kind: 'draw', by: 'agreement' } }), 'white')).toBe('drawn');
});

test('the kind of a game says what differs from a game of chess with a clock', () => {
  expect(kindText(game())).toBe('Rated · Blitz · 3+2');
  expect(kindText(game({ rated: false, speed: null, time: { kind: 'unlimited' } }))).toBe('Casual · No clock');
  expect(kindText(game({ variant: 'chess960' }))).toBe('Rated · Chess960 · Blitz · 3+2');
});

test('changes have their sign, and half moves make moves', () => {
  expect([changeText(8), changeText(-8), changeText(0)]).toEqual(['+8', '−8', '±0']);
  expect([moveCount(0), moveCount(1), moveCount(4), moveCount(57)]).toEqual([0, 1, 2, 29]);
});

test('days are written as the country writes them', () => {
  expect(dateText(Date.UTC(2026, 10, 16, 12), 'en-GB')).toBe('16 Nov 2026');
});
