import { expect, test } from 'vitest';
import type { GameCard, ServerMsg } from '$lib/api/types';
import { Lobby } from './lobby.svelte';

const card = (id: string) => ({ id }) as GameCard;

test('nothing is known before the first state', () => {
  expect(new Lobby().games).toBeNull();
});

const told = (games: GameCard[]): ServerMsg => ({
  t: 'state',
  room: 'lobby',
  version: 1,
  state: { kind: 'lobby', games, featured: games[0] ?? null, seeks: [], online: 3, playing: 1 },
});

test('every state replaces the list', () => {
  const lobby = new Lobby();
  lobby.receive(told([card('a'), card('b')]));
  lobby.receive(told([card('b')]));
  expect(lobby).toMatchObject({ online: 3, playing: 1, featured: { id: 'b' } });
  expect(lobby.games?.map((game) => game.id)).toEqual(['b']);
});

test('who comes back asks for the whole lobby', () => {
  expect(new Lobby().version).toBeNull();
});
