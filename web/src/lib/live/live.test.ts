import { expect, test } from 'vitest';
import type { ClientMsg, ServerMsg, ServerMsgOf } from '$lib/api/types';
import { Live, type Listener, type Socket } from './live.svelte';

/** A world in which the test opens lines, cuts them and lets time pass. */
function world() {
  const sockets: Array<Socket & { sent: ClientMsg[] }> = [];
  const waits: Array<{ ms: number; then: () => void }> = [];
  const clock = { now: 0 };
  const live = new Live({
    connect: () => {
      const sent: ClientMsg[] = [];
      const socket = { sent, send: (text: string) => sent.push(JSON.parse(text)), close() {} } as never;
      sockets.push(socket);
      return socket;
    },
    after: (ms, then) => {
      const wait = { ms, then };
      waits.push(wait);
      return () => waits.splice(waits.indexOf(wait), 1);
    },
    chance: () => 1,
    now: () => clock.now,
  });
  const last = () => sockets[sockets.length - 1] as Socket & { sent: ClientMsg[] };
  return {
    live,
    clock,
    waits,
    sent: () => last().sent,
    lines: () => sockets.length,
    say: (message: ServerMsg) => last().onmessage?.call(last() as never, { data: JSON.stringify(message) } as never),
    cut: () => last().onclose?.call(last() as never, {} as never),
    pass: () => waits.shift()?.then(),
  };
}

const HELLO: ServerMsgOf<'hello'> = { t: 'hello', version: '1', account: null };

function listener(version: number | null = null): Listener & { heard: ServerMsg[]; version: number | null } {
  const heard: ServerMsg[] = [];
  return { version, heard, receive: (message) => heard.push(message) };
}

test('rooms are joined after the greeting', () => {
  const { live, say, sent } = world();
  live.join('lobby', listener());
  live.start();
  expect(sent()).toEqual([]);
  say(HELLO);
  expect(live.line).toBe('open');
  expect(sent()).toEqual([{ t: 'join', room: 'lobby' }]);
});

test('a message reaches its room and no other', () => {
  const { live, say } = world();
  const [mine, other] = [listener(), listener()];
  live.join('game:aaaaaaaa', mine);
  live.join('game:bbbbbbbb', other);
  live.start();
  say(HELLO);
  say({ t: 'rejected', game: 'aaaaaaaa', ply: null, code: 'x', reason: 'x' });
  say({ t: 'skipped', room: 'game:aaaaaaaa', version: 2 });
  expect(mine.heard.map((message) => message.t)).toEqual(['rejected', 'skipped']);
  expect(other.heard).toEqual([]);
});

test('a broken line comes back by itself and resumes where it was', () => {
  const { live, say, cut, pass, sent, lines } = world();
  const room = listener();
  live.join('game:aaaaaaaa', room);
  live.start();
  say(HELLO);
  room.version = 7;
  cut();
  expect(live.line).toBe('lost');
  pass();
  expect(lines()).toBe(2);
  say(HELLO);
  expect(sent()).toEqual([{ t: 'resume', room: 'game:aaaaaaaa', version: 7 }]);
});

test('who has become somebody is told everything anew', () => {
  const { live, say, sent } = world();
  const room = listener();
  live.join('game:aaaaaaaa', room);
  live.start();
  say(HELLO);
  room.version = 7;
  live.renew();
  say({ ...HELLO, account: 'me' });
  expect(sent()).toEqual([{ t: 'join', room: 'game:aaaaaaaa' }]);
});

test('the wait grows while the server is away and starts anew after a greeting', () => {
  const { live, say, cut, pass, waits } = world();
  live.start();
  const waited: number[] = [];
  for (let i = 0; i < 4; i++) {
    cut();
    waited.push(waits[0]?.ms ?? 0);
    pass();
  }
  say(HELLO);
  cut();
  waited.push(waits[0]?.ms ?? 0);
  expect(waited).toEqual([200, 500, 1_000, 2_000, 200]);
});

test('when the network is back nobody waits', () => {
  const { live, cut, lines, waits } = world();
  live.start();
  live.hurry();
  expect(lines()).toBe(1);
  cut();
  live.hurry();
  expect(lines()).toBe(2);
  expect(waits).toEqual([]);
});

test('nothing is sent on a line that is not open', () => {
  const { live, say, cut, sent } = world();
  live.start();
  expect(live.send({ t: 'join', room: 'lobby' })).toBe(false);
  say(HELLO);
  expect(live.send({ t: 'join', room: 'lobby' })).toBe(true);
  cut();
  expect(live.send({ t: 'join', room: 'lobby' })).toBe(false);
  expect(sent()).toHaveLength(1);
});

test('a renewed line joins its rooms again', () => {
  const { live, say, sent, lines } = world();
  live.join('challenge:aaaaaaaa', listener());
  live.start();
  say(HELLO);
  live.renew();
  say(HELLO);
  expect(lines()).toBe(2);
  expect(sent()).toEqual([{ t: 'join', room: 'challenge:aaaaaaaa' }]);
});

test('who has left hears nothing more', () => {
  const { live, say, sent } = world();
  const room = listener();
  const leave = live.join('lobby', room);
  live.start();
  say(HELLO);
  leave();
  say({ t: 'gone', room: 'lobby', code: 'x', reason: 'x' });
  expect(sent()).toEqual([
    { t: 'join', room: 'lobby' },
    { t: 'leave', room: 'lobby' },
  ]);
  expect(room.heard).toEqual([]);
});

test('a notice stands until it is taken back', () => {
  const { live, say } = world();
  live.start();
  say(HELLO);
  say({ t: 'notice', code: 'storage', text: 'The disk is full.' });
  expect(live.notice?.code).toBe('storage');
  say({ t: 'notice', code: 'storage_back', text: 'There is room again.' });
  expect(live.notice).toBeNull();
});

test('a refusal that names no game reaches everybody', () => {
  const { live, say } = world();
  const room = listener();
  live.join('game:aaaaaaaa', room);
  live.start();
  say(HELLO);
  say({ t: 'rejected', game: null, ply: null, code: 'too_fast', reason: 'Slow down.' });
  expect(room.heard).toHaveLength(1);
});

test('a line that has died without a word is opened anew and resumes', () => {
  const { live, clock, say, sent, lines } = world();
  live.join('game:aaaaaaaa', { ...listener(7), isAwaiting: true });
  live.start();
  say(HELLO);
  const beatAt = (now: number) => {
    clock.now = now;
    live.beat();
  };
  beatAt(1_000);
  expect(sent().at(-1)).toEqual({ t: 'ping' });
  clock.now = 1_020;
  say({ t: 'pong' });
  for (const now of [2_020, 2_520, 3_020]) beatAt(now);
  expect(lines()).toBe(1);
  beatAt(3_520);
  expect(lines()).toBe(2);
  say(HELLO);
  expect(sent()).toEqual([{ t: 'resume', room: 'game:aaaaaaaa', version: 7 }]);
});

test('a line that is opened into nowhere is given up and tried again', () => {
  const { live, clock, lines, pass } = world();
  live.start();
  clock.now = 2_000;
  live.beat();
  expect(live.line).toBe('connecting');
  clock.now = 3_000;
  live.beat();
  expect(live.line).toBe('lost');
  pass();
  expect(lines()).toBe(2);
});
