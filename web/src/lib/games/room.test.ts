import { expect, test } from 'vitest';
import type { ClientMsg, Clocks, Color, GameView, ServerMsg } from '$lib/api/types';
import { GameRoom } from './room.svelte';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const CLOCKS: Clocks = { white_ms: 300_000, black_ms: 300_000, running: null };
const PLAYER = { id: 'a', name: 'Guest', guest: true };

/** A game at its start, seen by White. */
function fresh(): GameView {
  return {
    id: 'abcdefgh',
    version: 1,
    variant: 'standard',
    players: { white: PLAYER, black: PLAYER },
    time: { kind: 'fischer', initial_ms: 300_000, increment_ms: 0 },
    you: 'white',
    start_fen: START,
    fen: START,
    ply: 0,
    to_act: 'white',
    dests: 'e2e3e4',
    check: null,
    moves: [],
    clocks: CLOCKS,
    outcome: null,
    draw_offer: null,
    can_abort: true,
    paused: false,
    created_at: 0,
    around: { present: { white: true, black: true }, watchers: 0, rematch: null },
  };
}

function state(view: GameView): ServerMsg {
  return { t: 'state', room: 'game:abcdefgh', version: view.version, state: { kind: 'game', ...view } };
}

function played(ply: number, version = ply + 1): ServerMsg {
  const to_act: Color = ply % 2 === 0 ? 'white' : 'black';
  const [uci, san] = ply % 2 === 1 ? ['e2e4', 'e4'] : ['e7e5', 'e5'];
  const fen = `after ply ${ply}`;
  const after = { ply, uci, san, fen, check: null, dests: '', to_act, clocks: CLOCKS, can_abort: ply < 2 };
  return { t: 'played', game: 'abcdefgh', version, ...after };
}

/** A room on a line that only writes down what is sent, at the start of a game. */
function sit() {
  const sent: ClientMsg[] = [];
  const refusals: string[] = [];
  const line = {
    open: true,
    send: (message: ClientMsg) => {
      if (line.open) sent.push(message);
      return line.open;
    },
    catchUp: (room: string, version: number | null) => {
      sent.push(version === null ? { t: 'join', room } : { t: 'resume', room, version });
    },
  };
  const room = new GameRoom(
    'abcdefgh',
    line,
    (reason) => refusals.push(reason),
    () => 42,
  );
  room.receive(state(fresh()));
  return { room, sent, refusals, line };
}

const E4: ClientMsg = { t: 'move', game: 'abcdefgh', ply: 0, uci: 'e2e4' };

test('the next event is applied', () => {
  const { room } = sit();
  room.receive(played(1));
  expect(room.view).toMatchObject({ version: 2, ply: 1, fen: 'after ply 1', to_act: 'black' });
  expect(room.view?.moves).toMatchObject([{ san: 'e4', left_ms: 300_000 }]);
  expect(room.shown).toEqual({ fen: 'after ply 1', last: ['e2', 'e4'], check: null });
});

test('an event that is known already changes nothing', () => {
  const { room, sent } = sit();
  room.receive(played(1));
  room.receive(played(1));
  expect(room.view?.moves).toHaveLength(1);
  expect(sent).toEqual([]);
});

test('a gap is asked for once and filled by the missing events', () => {
  const { room, sent } = sit();
  room.receive(played(2));
  room.receive(played(3));
  expect(room.view?.ply).toBe(0);
  expect(sent).toEqual([{ t: 'resume', room: 'game:abcdefgh', version: 1 }]);
  for (const ply of [1, 2, 3]) room.receive(played(ply));
  expect(room.view).toMatchObject({ version: 4, ply: 3 });
});

test('a second gap is asked for again', () => {
  const { room, sent } = sit();
  room.receive(played(2));
  room.receive(played(1));
  room.receive(played(4));
  expect(sent.map((message) => 'version' in message && message.version)).toEqual([1, 2]);
});

test('a state replaces everything', () => {
  const { room } = sit();
  room.receive(played(1));
  room.receive(state({ ...fresh(), version: 9, ply: 5, fen: 'elsewhere' }));
  expect(room.view).toMatchObject({ version: 9, ply: 5, fen: 'elsewhere', moves: [] });
});

test('an event that I may not see only counts', () => {
  const { room } = sit();
  room.receive({ t: 'skipped', room: 'game:abcdefgh', version: 2 });
  room.receive(played(1, 3));
  expect(room.view).toMatchObject({ version: 3, ply: 1 });
});

test('a move is pending until it is played', () => {
  const { room, sent } = sit();
  expect(room.mayMove).toBe(true);
  room.move('e2e4');
  expect(sent).toEqual([E4]);
  expect(room.mayMove).toBe(false);
  expect(room.view?.ply).toBe(0);
  room.receive(played(1));
  expect(room.pending).toBeNull();
});

test('a move that was not confirmed is sent again when the line is back', () => {
  const { room, sent, line } = sit();
  line.open = false;
  room.move('e2e4');
  expect(sent).toEqual([]);
  line.open = true;
  room.rejoined();
  expect(sent).toEqual([E4]);
});

test('a move that was confirmed is not sent again', () => {
  const { room, sent } = sit();
  room.move('e2e4');
  room.receive(played(1));
  room.rejoined();
  expect(sent).toEqual([E4]);
});

test('a move for another ply than the game is at is given up', () => {
  const { room } = sit();
  room.move('e2e4');
  room.receive(state({ ...fresh(), version: 3, ply: 2 }));
  expect(room.pending).toBeNull();
});

test('a refused move goes back with its reason', () => {
  const { room, refusals } = sit();
  room.move('e2e5');
  room.receive({ t: 'rejected', game: 'abcdefgh', ply: 0, code: 'illegal', reason: 'That move is not legal.' });
  expect(room.pending).toBeNull();
  expect(room.refusals).toBe(1);
  expect(refusals).toEqual(['That move is not legal.']);
});

test('a refusal of a move that is settled is not shown', () => {
  const { room, refusals } = sit();
  room.move('e2e4');
  room.receive(played(1));
  room.receive({ t: 'rejected', game: 'abcdefgh', ply: 0, code: 'stale_ply', reason: 'Too late.' });
  expect(refusals).toEqual([]);
});

test('looking back does not lose the game', () => {
  const { room } = sit();
  for (const ply of [1, 2]) room.receive(played(ply));
  room.look(0);
  expect(room.shown?.fen).toBe(START);
  expect(room.mayMove).toBe(false);
  room.receive(played(3));
  expect(room.shown?.fen).toBe(START);
  room.look(99);
  expect(room.isLive).toBe(true);
  expect(room.shown?.fen).toBe('after ply 3');
});

test('an offer stands until the other side moves', () => {
  const { room } = sit();
  const offer = { kind: 'draw_offered', by: 'white' } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change: offer, clocks: CLOCKS });
  room.receive(played(1, 3));
  expect(room.view?.draw_offer).toBe('white');
  room.receive(played(2, 4));
  expect(room.view?.draw_offer).toBeNull();
});

test('an end stops everything', () => {
  const { room } = sit();
  const outcome = { kind: 'win', winner: 'black', by: 'resign' } as const;
  room.move('e2e4');
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change: { kind: 'ended', outcome }, clocks: CLOCKS });
  expect(room.view).toMatchObject({ outcome, to_act: null, dests: '', can_abort: false });
  expect(room.pending).toBeNull();
});

test('a change that this page does not know makes it ask for the whole state', () => {
  const { room, sent } = sit();
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change: { kind: 'other' }, clocks: CLOCKS });
  expect(sent).toEqual([{ t: 'join', room: 'game:abcdefgh' }]);
});

test('the server can stop and start the clocks', () => {
  const { room } = sit();
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change: { kind: 'paused' }, clocks: CLOCKS });
  expect(room.view?.paused).toBe(true);
  room.receive({ t: 'changed', game: 'abcdefgh', version: 3, change: { kind: 'resumed' }, clocks: CLOCKS });
  expect(room.view?.paused).toBe(false);
});
