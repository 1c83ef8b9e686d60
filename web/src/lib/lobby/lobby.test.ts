import { expect, test } from 'vitest';
import type { Challenge, GameCard, ServerMsg } from '$lib/api/types';
import { Lobby, withMine } from './lobby.svelte';

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

test('my seek is in the list, however many are newer', () => {
  const seek = (id: string, is_mine = false) => ({ id, is_mine, audience: 'seek', state: 'open' }) as Challenge;
  const mine = [seek('old', true), { ...seek('link', true), audience: 'link' } as Challenge];
  const newer = Array.from({ length: 100 }, (_, i) => seek(`${i}`));
  expect(withMine(newer, mine).map(({ id }) => id)).toEqual(['old', ...newer.map(({ id }) => id)]);
  expect(withMine([seek('old'), ...newer.slice(1)], mine)).toHaveLength(100);
  expect(withMine(newer.slice(1), mine)).toHaveLength(99);
});
