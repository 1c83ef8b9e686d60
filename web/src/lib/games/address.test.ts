import { expect, test } from 'vitest';
import type { ServerMsg } from '$lib/api/types';
import type { Listener, Live } from '$lib/live/live.svelte';
import { Address } from './address.svelte';

/** An address on a line where the test speaks for the server. */
function visit() {
  const rooms = new Map<string, Listener>();
  const live = {
    join(room: string, listener: Listener) {
      rooms.set(room, listener);
      return () => rooms.delete(room);
    },
  } as unknown as Live;
  const address = new Address('abcdefgh', live, () => {});
  const leave = address.open();
  const say = (room: string, message: object) => rooms.get(room)?.receive({ room, ...message } as ServerMsg);
  return { address, leave, say, rooms: () => [...rooms.keys()] };
}

const GONE = { t: 'gone', code: 'unknown_game', reason: 'There is no such game.' };
const challenge = (state: string) => ({ t: 'state', version: 1, state: { kind: 'challenge', state, is_mine: true } });

test('an address is taken for a game first', () => {
  expect(visit().rooms()).toEqual(['game:abcdefgh']);
});

test('where there is no game there may be a challenge', () => {
  const { address, say, rooms } = visit();
  say('game:abcdefgh', GONE);
  expect(rooms()).toEqual(['challenge:abcdefgh']);
  say('challenge:abcdefgh', challenge('open'));
  expect(address.challenge).toMatchObject({ state: 'open', is_mine: true });
});

test('an accepted challenge becomes its game', () => {
  const { say, rooms } = visit();
  say('game:abcdefgh', GONE);
  say('challenge:abcdefgh', challenge('open'));
  say('challenge:abcdefgh', challenge('accepted'));
  expect(rooms()).toEqual(['game:abcdefgh']);
});

test('where there is neither, that is said', () => {
  const { address, say } = visit();
  say('game:abcdefgh', GONE);
  expect(address.isMissing).toBe(false);
  say('challenge:abcdefgh', GONE);
  expect(address.isMissing).toBe(true);
});

test('an accepted challenge without a game does not go round in circles', () => {
  const { address, say } = visit();
  address.accepted();
  say('game:abcdefgh', GONE);
  expect(address.isMissing).toBe(true);
});

test('who leaves the page leaves the room', () => {
  const { leave, say, rooms } = visit();
  say('game:abcdefgh', GONE);
  leave();
  expect(rooms()).toEqual([]);
});
