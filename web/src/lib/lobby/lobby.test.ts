import { expect, test } from 'vitest';
import type { GameCard } from '$lib/api/types';
import { Lobby } from './lobby.svelte';

const card = (id: string) => ({ id }) as GameCard;

test('nothing is known before the first state', () => {
  expect(new Lobby().games).toBeNull();
});

test('every state replaces the list', () => {
  const lobby = new Lobby();
  lobby.receive({ t: 'state', room: 'lobby', version: 1, state: { kind: 'lobby', games: [card('a'), card('b')] } });
  lobby.receive({ t: 'state', room: 'lobby', version: 2, state: { kind: 'lobby', games: [card('b')] } });
  expect(lobby.games?.map((game) => game.id)).toEqual(['b']);
});

test('who comes back asks for the whole lobby', () => {
  expect(new Lobby().version).toBeNull();
});
