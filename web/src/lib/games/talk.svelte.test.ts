import { expect, test } from 'vitest';
import type { ChatLine, Color, GameView, Outcome } from '$lib/api/types';
import { roomsFor, Talk } from './talk.svelte';

const line = (number: number, id: string, room: ChatLine['room'] = 'players'): ChatLine => ({
  ...{
    number,
    room,
    by: { id, name: id, guest: true, rating: null, provisional: false, bot: false },
    text: 'Hello!',
    at: 0,
  },
});

/** White's own talk at a game with these lines; `hear` brings another. */
function sit(...lines: ChatLine[]) {
  let chat = $state.raw(lines);
  let you = $state<Color | null>('white');
  let outcome = $state.raw<Outcome | null>(null);
  const players = { white: { id: 'w' }, black: { id: 'b' } };
  const talk = new Talk(() => ({ you, outcome, players, chat, muted: [] }) as unknown as GameView);
  return {
    talk,
    hear: (next: ChatLine) => (chat = [...chat, next]),
    become: (color: Color | null) => (you = color),
    end: () => (outcome = { kind: 'draw', by: 'agreement' }),
  };
}

test('players hear each other, and everybody after the end', () => {
  expect(roomsFor({ you: 'white', outcome: null })).toEqual(['players']);
  expect(roomsFor({ you: 'white', outcome: { kind: 'draw', by: 'agreement' } })).toEqual(['players', 'watchers']);
  expect(roomsFor({ you: null, outcome: null })).toEqual(['watchers']);
});

test('only what the other says while I look elsewhere is unread', () => {
  const { talk, hear } = sit(line(1, 'b'));
  expect(talk.hasUnread).toBe(false);
  hear(line(2, 'w'));
  expect(talk.hasUnread).toBe(false);
  hear(line(3, 'b'));
  expect(talk.hasUnread).toBe(true);
  talk.read();
  expect(talk.hasUnread).toBe(false);
});

test('who is muted is not shown and never unread, until heard again', () => {
  const { talk, hear } = sit(line(1, 'w'));
  talk.toggleMute('b');
  hear(line(2, 'b'));
  expect(talk.lines.map(({ number }) => number)).toEqual([1]);
  expect(talk.hasUnread).toBe(false);
  talk.toggleMute('b');
  expect(talk.lines.map(({ number }) => number)).toEqual([1, 2]);
});

test('each room shows its own lines', () => {
  const { talk, end } = sit(line(1, 'b'), line(1, 'x', 'watchers'));
  end();
  talk.room = 'watchers';
  expect(talk.lines.map(({ by }) => by.id)).toEqual(['x']);
});

test("a watcher who turns out to be a player is in the players' room", () => {
  const { talk, become } = sit(line(1, 'b'));
  become(null);
  expect(talk.room).toBe('watchers');
  become('white');
  expect(talk.room).toBe('players');
});
