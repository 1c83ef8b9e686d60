import { expect, test } from 'vitest';
import type { Challenge, ClientMsg, GameCard, QueueTerms, ServerMsg } from '$lib/api/types';
import { Notices } from './notices.svelte';

const TERMS: QueueTerms = {
  variant: 'standard',
  time: { kind: 'fischer', initial_ms: 300_000, increment_ms: 0 },
  rated: false,
};
const JOIN: ClientMsg = { t: 'queue_join', ...TERMS };
const PLACE: ServerMsg = { t: 'queue', waiting: { ...TERMS, waited_ms: 0, range: 50, players: 2, bot_at_ms: null } };

/** A tab that writes down what it sends and what it is told. */
function open() {
  const sent: ClientMsg[] = [];
  const heard: string[] = [];
  const line = { send: (message: ClientMsg) => sent.push(message) > 0, account: 'me' as string | null };
  const notices = new Notices(
    line,
    {
      begun: (game, isAwaited, isLive) =>
        heard.push(`${game} ${isAwaited ? 'awaited' : 'by itself'}${isLive ? '' : ', slow'}`),
      refused: (reason) => heard.push(reason),
      challenged: ({ id }) => heard.push(`challenge ${id}`),
    },
    () => 0,
  );
  return { notices, sent, heard, line };
}

const challenge = (id: string, more: Partial<Challenge> = {}) =>
  ({ id, is_mine: false, state: 'open', ...more }) as Challenge;

const told = (...challenges: Challenge[]): ServerMsg => ({
  t: 'state',
  room: 'me',
  version: 1,
  state: { kind: 'me', challenges, games: [] },
});

/** My running games, with or without a clock. */
const running = (...games: [id: string, time: string][]): ServerMsg => ({
  t: 'state',
  room: 'me',
  version: 1,
  state: { kind: 'me', challenges: [], games: games.map(([id, kind]) => ({ id, time: { kind } }) as GameCard) },
});

test('who joins the queue waits at once, and the server tells the rest', () => {
  const { notices, sent } = open();
  notices.joinQueue(TERMS);
  expect(sent).toEqual([JOIN]);
  expect(notices.waiting).toEqual(TERMS);
  expect(notices.place).toBeNull();
  notices.receive(PLACE);
  expect(notices.place).toMatchObject({ range: 50, players: 2, bot_at_ms: null });
});

test('a new line joins again once it is known that nothing has begun', () => {
  const { notices, sent, heard } = open();
  notices.receive(running(['a', 'fischer']));
  notices.joinQueue(TERMS);
  notices.rejoined();
  expect(sent).toEqual([JOIN]);
  notices.receive(running(['a', 'fischer'], ['b', 'days']));
  notices.receive(running(['a', 'fischer'], ['b', 'days']));
  expect(sent).toEqual([JOIN, JOIN]);
  expect(heard).toEqual([]);
});

test('a stranger, who has no state, joins again at once', () => {
  const { notices, sent } = open();
  notices.joinQueue(TERMS);
  notices.rejoined();
  notices.receive({ t: 'gone', room: 'me', code: 'no_account', reason: 'Nobody is here.' });
  expect(sent).toEqual([JOIN, JOIN]);
});

test('a pairing that was made on a dead line is gone to, and nothing is looked for beside it', () => {
  const { notices, sent, heard } = open();
  notices.receive(running());
  notices.joinQueue(TERMS);
  notices.rejoined();
  notices.receive(running(['paired', 'fischer']));
  expect(heard).toEqual(['paired awaited']);
  expect(sent).toEqual([JOIN]);
  expect(notices.waiting).toBeNull();
});

test('a seek that was accepted on a dead line is gone to', () => {
  const { notices, heard } = open();
  notices.receive(running(['old', 'stages']));
  notices.rejoined();
  notices.receive(running(['old', 'stages'], ['new', 'stages']));
  notices.receive(running(['old', 'stages'], ['new', 'stages'], ['newer', 'stages']));
  expect(heard).toEqual(['new by itself']);
});

test('who logs in is not called to the games of before', () => {
  const { notices, heard, line } = open();
  notices.receive(running());
  line.account = 'somebody else';
  notices.rejoined();
  notices.receive(running(['theirs', 'fischer']));
  expect(heard).toEqual([]);
});

test('who has left the queue does not come back with the line', () => {
  const { notices, sent } = open();
  notices.joinQueue(TERMS);
  notices.leaveQueue();
  notices.rejoined();
  expect(sent).toEqual([JOIN, { t: 'queue_leave' }]);
  expect(notices.waiting).toBeNull();
});

test('a place that another tab of mine has taken is shown and given up here too', () => {
  const { notices } = open();
  notices.receive(PLACE);
  expect(notices.waiting).toMatchObject(TERMS);
  notices.receive({ t: 'queue', waiting: null });
  expect(notices.waiting).toBeNull();
});

test('the beginning of a game ends the waiting', () => {
  const { notices, heard, sent } = open();
  notices.joinQueue(TERMS);
  notices.receive({ t: 'begin', game: 'abcdefgh', live: true });
  notices.rejoined();
  expect(heard).toEqual(['abcdefgh awaited']);
  expect(notices.waiting).toBeNull();
  expect(sent).toEqual([JOIN]);
});

test('a refused search is over and says why', () => {
  const { notices, heard } = open();
  notices.joinQueue(TERMS);
  notices.receive({ t: 'rejected', game: null, ply: null, code: 'guests', reason: 'Guests play casual games.' });
  expect(notices.waiting).toBeNull();
  expect(heard).toEqual(['Guests play casual games.']);
});

test('only challenges that come while one looks are announced, each once', () => {
  const { notices, heard } = open();
  notices.receive(told(challenge('a')));
  notices.receive(told(challenge('a'), challenge('b'), challenge('c', { is_mine: true })));
  notices.receive(told(challenge('a'), challenge('b')));
  expect(heard).toEqual(['challenge b']);
  expect(notices.incoming.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('a game of days ends no waiting and is awaited by nobody', () => {
  const { notices, heard } = open();
  notices.joinQueue(TERMS);
  notices.receive({ t: 'begin', game: 'abcdefgh', live: false });
  expect(heard).toEqual(['abcdefgh by itself, slow']);
  expect(notices.waiting).toEqual(TERMS);
});
