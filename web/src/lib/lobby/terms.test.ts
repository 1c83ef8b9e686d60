import { expect, test } from 'vitest';
import type { TimeControl } from '$lib/api/types';
import { fischer } from './clock-choice.svelte';
import { queueWords, rangeText, seekText, speedName, termsText } from './terms';

test('a challenge is read from the side of the one who looks', () => {
  const challenge = { time: fischer(5, 3), rated: true, color: 'white', is_mine: false } as const;
  expect(termsText(challenge)).toBe('5+3 · Rated · You play Black');
  expect(termsText({ ...challenge, is_mine: true, rated: false })).toBe('5+3 · Casual · You play White');
  expect(termsText({ ...challenge, color: 'random' })).toBe('5+3 · Rated · Random colours');
});

test('whoever accepts knows before whether engines are allowed', () => {
  const time = { kind: 'days', per_move_ms: 259_200_000, leave_days: 0, weekends_free: false } as const;
  const slow = { ...time, bank_ms: null, cap_ms: null };
  const challenge = { variant: 'standard', time: slow, rated: false, color: 'white', is_mine: false } as const;
  const words = 'Engines are allowed';
  expect(termsText({ ...challenge, engines: true })).toBe(`3 d · No leave · Casual · ${words} · You play Black`);
  expect(termsText({ ...challenge, engines: false })).not.toContain(words);
  expect(seekText({ ...challenge, engines: true })).toBe(`Days · No leave · Casual · ${words}`);
  expect(seekText({ ...challenge, engines: false })).not.toContain(words);
});

function checkRange(lowest_rating: number | null, highest_rating: number | null, text: string) {
  expect(rangeText({ lowest_rating, highest_rating })).toBe(text);
}

test('a range of ratings may be open at both ends', () => {
  checkRange(null, null, '');
  checkRange(1400, null, '1400+');
  checkRange(null, 1600, 'up to 1600');
  checkRange(1400, 1600, '1400–1600');
});

test('the waiting time goes on between the words of the server', () => {
  const terms = { variant: 'standard', time: fischer(5, 0), rated: true } as const;
  const place = { ...terms, waited_ms: 9_000, range: 100, players: 1, bot_at_ms: null };
  expect(queueWords(place, 2_500)).toEqual({ waited: '0:11', range: '± 100', players: '1 player' });
  expect(queueWords({ ...place, rated: false, players: 3 }, 0)).toMatchObject({
    range: '± 100',
    players: '3 players',
  });
});

function checkSpeed(time: TimeControl, name: string) {
  expect(speedName(time)).toBe(`time.${name}`);
}

test('games are named by their length', () => {
  checkSpeed(fischer(1, 0), 'bullet');
  checkSpeed(fischer(2, 1), 'bullet');
  checkSpeed(fischer(3, 2), 'blitz');
  checkSpeed(fischer(5, 3), 'blitz');
  checkSpeed(fischer(10, 0), 'rapid');
  checkSpeed(fischer(15, 10), 'rapid');
  checkSpeed(fischer(30, 0), 'classical');
  checkSpeed({ kind: 'unlimited' }, 'no_clock');
  const five = { time_ms: 300_000, bonus: { kind: 'none' } } as const;
  const stages = [
    { ...five, moves: 40 },
    { ...five, moves: null },
  ];
  checkSpeed({ kind: 'stages', white: stages, black: stages }, 'rapid');
});

test('who reads an offer reads that draws must be claimed', () => {
  const seek = { variant: 'standard', time: fischer(5, 0), rated: false } as const;
  expect(seekText(seek)).toBe('Blitz · Casual');
  expect(seekText({ ...seek, speed: 'rapid' })).toBe('Rapid · Casual');
  expect(seekText({ ...seek, rules: 'fide' })).toBe('Blitz · Casual · Draws are claimed');
});
