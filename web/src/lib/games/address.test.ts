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
  const later: (() => void)[] = [];
  const after = (_: number, then: () => void) => {
    later.push(then);
    return () => later.splice(0);
  };
  const address = new Address('abcdefgh', live, () => {}, after);
  const leave = address.open();
  const say = (room: string, message: object) => rooms.get(room)?.receive({ room, ...message } as ServerMsg);
  const wait = () => later.splice(0).forEach((then) => then());
  return { address, leave, say, wait, rooms: () => [...rooms.keys()] };
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

test.each(['game', 'challenge'])('a %s that cannot be read just now is asked for again', (kind) => {
  const { address, say, wait, rooms } = visit();
  if (kind === 'challenge') say('game:abcdefgh', GONE);
  const room = `${kind}:abcdefgh`;
  for (const code of ['storage', 'fault', 'too_many_rooms']) {
    say(room, { ...GONE, code });
    expect(rooms()).toEqual([]);
    wait();
    expect(rooms()).toEqual([room]);
  }
  expect(address.isMissing).toBe(false);
});

test('who has left meanwhile does not come back', () => {
  const { leave, say, wait, rooms } = visit();
  say('game:abcdefgh', { ...GONE, code: 'storage' });
  leave();
  wait();
  expect(rooms()).toEqual([]);
});

test('who leaves the page leaves the room', () => {
  const { leave, say, rooms } = visit();
  say('game:abcdefgh', GONE);
  leave();
  expect(rooms()).toEqual([]);
});
