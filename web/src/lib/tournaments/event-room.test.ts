import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '$lib/api/client';
import { getEvent, getRound, getStandings } from '$lib/api/events';
import type { EventView, OpenBoard, ServerMsg } from '$lib/api/types';
import { EventRoom, scoreFor } from './event-room.svelte';

vi.mock('$lib/api/events', () => ({ getEvent: vi.fn(), getRound: vi.fn(), getStandings: vi.fn() }));

const round = (number: number) => ({
  number,
  published_at: 0,
  can_unpair: false,
  can_change: false,
  boards: [],
  byes: [],
});
const summary = (number: number, open = 0) => ({ number, published_at: 0, boards: 1, open });

function event(system: string, rounds: number[]): EventView {
  const regulations = { system, at_once: false };
  const players = [{ number: 1, state: 'entered' }];
  return {
    ...{ state: 'running', players, rounds: rounds.map((number) => summary(number)), version: 1, facts: 1, you: 1 },
    ...{ rights: { results: false }, your_table: null },
    ...{ your_game: null, your_games: [], next_at: null, ends_at: null, stuck: null, now: 1000, regulations },
  } as unknown as EventView;
}

/** What the room says, beside what is usual. */
function told(version: number, more: object): ServerMsg {
  const state = {
    kind: 'event',
    state: 'running',
    players: 1,
    playing: 1,
    facts: 1,
    round: null,
    open: [],
    rows: [],
    is_stuck: false,
    chat: [],
  };
  return { t: 'state', version, state: { ...state, now: 2000, ...more } } as unknown as ServerMsg;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(getEvent).mockReset();
  vi.mocked(getRound).mockReset();
  vi.mocked(getStandings).mockReset();
  vi.mocked(getRound).mockImplementation((_, number) => Promise.resolve(round(number)));
  vi.mocked(getStandings).mockResolvedValue({ rows: [] } as never);
});
afterEach(() => vi.useRealTimers());

it('counts down by the moment at which the server told it', () => {
  const room = new EventRoom('abc');
  room.event = event('swiss', []);
  room.receive(told(2, { next_at: 95_000, now: 65_000 }));
  expect([room.event?.next_at, room.event?.now]).toEqual([95_000, 65_000]);
});

it('asks for everything when a round begins, but of the rounds only for the shown one and the last', async () => {
  const room = new EventRoom('abc');
  room.event = event('swiss', [1, 2, 3]);
  vi.mocked(getEvent).mockResolvedValue(event('swiss', [1, 2, 3, 4]));
  for (const number of [1, 3, 2]) await room.show(number);
  vi.mocked(getRound).mockClear();
  room.receive(told(2, { round: round(4) }));
  await vi.runAllTimersAsync();
  expect(vi.mocked(getRound).mock.calls.map(([, number]) => number)).toEqual([2, 4]);
  expect(Object.keys(room.rounds)).toEqual(['2', '4']);
});

it('asks for nothing when an arena has another wave', () => {
  const room = new EventRoom('abc');
  room.event = event('arena', [1, 2]);
  const open = [{ round: 2, number: 1, white: 5, black: 6, game: 'aaaaaaaa' }] as OpenBoard[];
  const own = { round: 3, number: 1, white: 9, black: 1, game: 'bbbbbbbb' } as OpenBoard;
  room.receive(told(2, { round: round(3), open: [...open, own], rows: [{ rank: 1, player: 1, points: '2' }] }));
  expect(vi.mocked(getEvent)).not.toHaveBeenCalled();
  const { rounds, your_game } = room.event as unknown as EventView;
  expect(rounds.map(({ number, open: left }) => [number, left])).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
  expect(your_game).toBe('bbbbbbbb');
  expect(room.openBoards).toHaveLength(2);
  room.receive(told(3, { round: round(3), open }));
  expect((room.event as unknown as EventView).your_game).toBeNull();
});

it.each([
  ['somebody comes to an arena', { players: 2, playing: 2, round: round(2) }],
  ['waves of an arena were missed', { round: round(4) }],
])('asks for everything when %s', async (_, news) => {
  vi.mocked(getEvent).mockResolvedValue(event('arena', [1, 2, 3, 4]));
  const room = new EventRoom('abc');
  room.event = event('arena', [1, 2]);
  room.receive(told(2, news));
  await vi.runAllTimersAsync();
  expect(vi.mocked(getEvent)).toHaveBeenCalledTimes(1);
});

it.each([
  ['somebody checks in, is edited or gets a bye', []],
  ['a result of an earlier round is corrected', [1, 2]],
])('asks for everything when %s', async (_, rounds) => {
  vi.mocked(getEvent).mockResolvedValue({ ...event('swiss', rounds), version: 2, facts: 2 });
  const room = new EventRoom('abc');
  room.event = event('swiss', rounds);
  const last = rounds.at(-1);
  room.receive(told(2, { facts: 2, round: last === undefined ? null : round(last) }));
  await vi.runAllTimersAsync();
  expect(vi.mocked(getEvent)).toHaveBeenCalledTimes(1);
  // Told again in the same state, there is nothing to ask.
  room.receive(told(3, { facts: 2, round: last === undefined ? null : round(last) }));
  await vi.runAllTimersAsync();
  expect(vi.mocked(getEvent)).toHaveBeenCalledTimes(1);
});

it('asks at once for whoever runs the event, and spread over a while for those who watch', () => {
  vi.mocked(getEvent).mockResolvedValue(event('swiss', []));
  const desk = new EventRoom('abc');
  desk.event = { ...event('swiss', []), rights: { results: true } } as never;
  const watcher = new EventRoom('abc');
  watcher.event = event('swiss', []);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  for (const room of [desk, watcher]) room.receive(told(2, { facts: 2 }));
  vi.mocked(Math.random).mockRestore();
  expect(vi.getTimerCount()).toBe(1);
});

it('shows a new round and my game in it before the rest is asked for, and forgets one that was taken back', async () => {
  const room = new EventRoom('abc');
  room.event = event('swiss', [1]);
  vi.mocked(getEvent).mockResolvedValue(event('swiss', [1, 2]));
  const board = { number: 1, white: 1, black: 2, game: 'aaaaaaaa', result: null };
  room.receive(told(2, { round: { ...round(2), boards: [board] } }));
  expect(vi.mocked(getEvent)).not.toHaveBeenCalled();
  expect(room.event.rounds.map(({ number, open }) => [number, open])).toEqual([
    [1, 0],
    [2, 1],
  ]);
  expect([room.event.your_game, room.rounds[2]?.boards.length]).toEqual(['aaaaaaaa', 1]);
  room.receive(told(3, { facts: 2, round: round(1) }));
  expect(room.event.rounds.map(({ number }) => number)).toEqual([1]);
  await vi.runAllTimersAsync();
  expect(vi.mocked(getEvent)).toHaveBeenCalledTimes(1);
});

it('forgets my table once it has its result', () => {
  const room = new EventRoom('abc');
  room.event = { ...event('swiss', [1]), your_table: 1 } as EventView;
  const board = { number: 1, white: 1, black: 2, result: null };
  room.receive(told(2, { round: { ...round(1), boards: [board] } }));
  expect(room.event?.your_table).toBe(1);
  room.receive(told(3, { round: { ...round(1), boards: [{ ...board, result: '1-0' }] } }));
  expect(room.event?.your_table).toBeNull();
});

it('tries again when it could not ask, and is missing only when the server says so', async () => {
  const room = new EventRoom('abc');
  vi.mocked(getEvent).mockRejectedValueOnce(new ApiError(429, 'too_many', 'slowly'));
  vi.mocked(getEvent).mockRejectedValueOnce(new TypeError('no line'));
  vi.mocked(getEvent).mockResolvedValue(event('swiss', []));
  await room.load();
  expect([room.event, room.isMissing]).toEqual([null, false]);
  await vi.runAllTimersAsync();
  expect(room.event?.state).toBe('running');
  vi.mocked(getEvent).mockRejectedValueOnce(new ApiError(404, 'unknown_event', 'there is no such event'));
  await room.load();
  expect(room.isMissing).toBe(true);
});

it('is missing once the server says that it is gone and has it no more', async () => {
  vi.mocked(getEvent).mockRejectedValueOnce(new ApiError(404, 'unknown_event', 'there is no such event'));
  const room = new EventRoom('abc');
  room.event = { version: 1 } as never;
  room.receive({ t: 'gone', room: 'event:abc', code: 'unknown_event', reason: 'there is no such event' });
  await vi.runAllTimersAsync();
  expect([room.isMissing, room.event]).toEqual([true, null]);
});

describe('a result seen from one side', () => {
  it.each([
    ['1-0', '1', '0'],
    ['1/2-1/2', '½', '½'],
    ['0-1/2', '0', '½'],
    ['+-', '+', '-'],
    ['--', '-', '-'],
    [null, '', ''],
  ])('%s', (result, white, black) => {
    expect([scoreFor(result, true), scoreFor(result, false)]).toEqual([white, black]);
  });
});
