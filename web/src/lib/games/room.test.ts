import { expect, test } from 'vitest';
import type { ClientMsg, Clocks, Color, GameView, ServerMsg } from '$lib/api/types';
import { GameRoom } from './room.svelte';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const CLOCKS: Clocks = {
  white_ms: 300_000,
  black_ms: 300_000,
  running: null,
  delay_ms: null,
  first_move_ms: null,
  frozen_ms: null,
};
const PLAYER = { id: 'a', name: 'Guest', guest: true, rating: null, provisional: false, bot: false };

/** A game at its start, seen by White. */
function fresh(): GameView {
  return {
    id: 'abcdefgh',
    gmo: null,
    engines: false,
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
    around: { present: { white: true, black: true }, watchers: 0, rematch: null, gone: null, now: 0 },
    rated: false,
    private: false,
    opening: null,
    muted: [],
    pool: 'standard/blitz',
    speed: 'blitz',
    takeback_offer: null,
    adjournment_offer: null,
    adjourned: false,
    can_adjourn: false,
    one_computer: false,
    can_take_back: false,
    takebacks: true,
    draws_by_claim: false,
    delay_ms: 0,
    can_give_time: true,
    can_claim_draw: false,
    can_chat: true,
    chat: [],
    ratings: null,
    lag: { white: 0, black: 0 },
  };
}

function state(view: GameView): ServerMsg {
  return { t: 'state', room: 'game:abcdefgh', version: view.version, state: { kind: 'game', ...view } };
}

function played(ply: number, version = ply + 1): ServerMsg {
  const to_act: Color = ply % 2 === 0 ? 'white' : 'black';
  const [uci, san] = ply % 2 === 1 ? ['e2e4', 'e4'] : ['e7e5', 'e5'];
  const fen = `after ply ${ply}`;
  const by: Color = ply % 2 === 0 ? 'black' : 'white';
  const after = {
    ply,
    by,
    freezes: false,
    uci,
    san,
    fen,
    check: null,
    dests: '',
    to_act,
    clocks: CLOCKS,
    can_abort: ply < 2,
  };
  return { t: 'played', game: 'abcdefgh', version, ...after, can_claim_draw: false, lag_ms: 30, opening: null };
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

test('passes that come by themselves are taken in turns', () => {
  const { room } = sit();
  room.receive({ ...(played(1) as Extract<ServerMsg, { t: 'played' }>), ply: 3, uci: 'P@e2', san: 'P@e2' });
  const moves = room.view?.moves.map(({ by, uci }) => `${by} ${uci}`);
  expect(moves).toEqual(['white P@e2', 'black --', 'white --']);
});

test('a freeze is shown where no clock tells how long it lasts', () => {
  const { room } = sit();
  const freezing = { ...(played(1) as Extract<ServerMsg, { t: 'played' }>), freezes: true };
  room.receive(freezing);
  expect(room.frozenAt).toBe(42);
  room.receive(played(2));
  expect(room.frozenAt).toBeNull();
  room.receive({ ...freezing, ply: 3, version: 4, clocks: { ...CLOCKS, frozen_ms: 5_000 } });
  expect(room.frozenAt).toBeNull();
});

test('at one computer the side goes over with every move, and nothing is laid down for later', () => {
  const { room, sent } = sit();
  room.receive(state({ ...fresh(), one_computer: true }));
  room.move('e2e4');
  expect(room.mayPremove).toBe(false);
  room.receive(played(1));
  expect([room.view?.you, room.mayMove]).toEqual(['black', true]);
  room.receive(played(2));
  expect([room.view?.you, room.mayMove]).toEqual(['white', true]);
  expect(sent).toEqual([E4]);
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

test('a move that a server which stops has left unanswered waits for the restart', () => {
  const { room, sent } = sit();
  room.move('e2e4');
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change: { kind: 'paused' }, clocks: CLOCKS });
  expect(room.pending).toEqual({ ply: 0, uci: 'e2e4' });
  room.rejoined();
  room.receive(state({ ...fresh(), version: 3 }));
  expect(sent.filter((message) => message.t === 'move')).toEqual(sent);
  expect(sent.length).toBeGreaterThan(1);
  room.receive(played(1, 4));
  expect(room.pending).toBeNull();
});

test('a move that was confirmed is not sent again', () => {
  const { room, sent } = sit();
  room.move('e2e4');
  room.receive(played(1));
  room.rejoined();
  expect(sent).toEqual([E4]);
});

test('a move that a state finds unplayed is sent again: it may have been lost with what came before the state', () => {
  const { room, sent } = sit();
  room.move('e2e4');
  room.receive(state({ ...fresh(), version: 2, draw_offer: 'black' }));
  expect(sent).toEqual([E4, E4]);
  room.receive(state({ ...fresh(), version: 3, ply: 1, to_act: 'black' }));
  expect([sent.length, room.pending]).toEqual([2, null]);
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
  const change = { kind: 'ended', outcome, seed: null } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change, clocks: CLOCKS });
  expect(room.view).toMatchObject({ outcome, to_act: null, dests: '', can_abort: false });
  expect(room.pending).toBeNull();
});

test('no takeback is offered while pieces are placed, and afterwards only of moves', () => {
  const { room } = sit();
  const after = (ply: number, uci: string) => {
    room.receive({ ...(played(ply) as Extract<ServerMsg, { t: 'played' }>), uci, san: uci });
    return room.view?.can_take_back;
  };
  expect([after(1, 'K@g1'), after(2, 'K@g8'), after(3, 'f3e5'), after(4, 'd8d2')]).toEqual([false, false, true, true]);
});

test('the end of a game of GMO brings the seed that was kept secret', () => {
  const { room } = sit();
  const gmo: GameView['gmo'] = {
    ready: { white: true, black: true },
    hand_in_by: null,
    max_blocks: 0,
    no_first_strike: false,
    reveal: 'end',
    seed_hash: 'hash',
    seed: null,
    mine: null,
  };
  room.receive(state({ ...fresh(), variant: 'gmo', gmo }));
  const outcome = { kind: 'win', winner: 'white', by: 'resign' } as const;
  const change = { kind: 'ended', outcome, seed: 'seed' } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change, clocks: CLOCKS });
  expect(room.view?.gmo).toEqual({ ...gmo, seed: 'seed' });
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

type Change = Extract<ServerMsg, { t: 'changed' }>['change'];

/** The answer of a game that is told this after its first two moves. */
function tell(change: Change) {
  const table = sit();
  for (const ply of [1, 2]) table.room.receive(played(ply));
  table.room.receive({ t: 'changed', game: 'abcdefgh', version: 4, change, clocks: CLOCKS });
  return table;
}

test('a takeback can be asked for and declined', () => {
  const { room } = tell({ kind: 'takeback_offered', by: 'black' });
  expect(room.view?.takeback_offer).toBe('black');
  const change = { kind: 'takeback_declined', by: 'white' } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 5, change, clocks: CLOCKS });
  expect(room.view?.takeback_offer).toBeNull();
});

/** The game is at its beginning again. */
const PLACE = { ply: 0, fen: START, dests: 'e2e4', check: null, to_act: 'white', opening: null } as const;
const BACK = { ...PLACE, can_abort: true, can_claim_draw: false } as const;

test('moves that are taken back vanish, and what was looked at with them', () => {
  const back = { ...BACK, ply: 1, fen: 'after ply 1', dests: 'e7e5', to_act: 'black', opening: 'B00' } as const;
  const { room } = tell({ kind: 'taken_back', ...back });
  expect(room.view).toMatchObject({ ...back, takeback_offer: null, version: 4 });
  expect(room.view?.moves.map(({ san }) => san)).toEqual(['e4']);
  expect(room.shown?.fen).toBe('after ply 1');
});

test('a game that is taken back to its beginning can be aborted again', () => {
  const { room } = tell({ kind: 'draw_offered', by: 'black' });
  expect(room.view?.can_abort).toBe(false);
  const change = { kind: 'taken_back', ...BACK } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 5, change, clocks: CLOCKS });
  expect(room.view).toMatchObject({ can_abort: true, can_claim_draw: false });
});

test('time that is given shows on the clock', () => {
  const { room } = sit();
  const clocks = { ...CLOCKS, black_ms: 315_000 };
  const change = { kind: 'time_added', to: 'black', ms: 15_000 } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 2, change, clocks });
  expect(room.view?.clocks.black_ms).toBe(315_000);
});

test('a line of talk is shown once', () => {
  const { room } = sit();
  const line = { number: 1, room: 'players', by: { ...PLAYER, id: 'b' }, text: 'Hello!', at: 0 } as const;
  for (let i = 0; i < 2; i++) room.receive({ t: 'chat', game: 'abcdefgh', line });
  expect(room.view?.chat).toEqual([line]);
});

test('the change of the ratings follows the end', () => {
  const { room } = sit();
  const white = { before: 1500, after: 1510, provisional: true };
  const black = { before: 1600, after: 1590, provisional: false };
  room.receive({ t: 'rated', game: 'abcdefgh', white, black });
  expect(room.view?.ratings).toEqual({ white, black });
});

test('the lag credited to a move stands with its player', () => {
  const { room } = sit();
  room.receive(played(1));
  expect(room.view?.lag).toEqual({ white: 30, black: 0 });
});

/** White has moved and lays down a premove; the answer leaves White these legal moves. */
function layDown(from: string, to: string, dests: string, fen = START) {
  const table = sit();
  table.room.move('e2e4');
  table.room.receive(played(1));
  expect(table.room.mayPremove).toBe(true);
  table.room.premove = { from, to };
  table.room.receive({ ...(played(2) as Extract<ServerMsg, { t: 'played' }>), dests, fen });
  expect(table.room.premove).toBeNull();
  return table.sent.slice(1);
}

test('a premove is played when it is legal', () => {
  expect(layDown('g1', 'f3', 'g1f3h3')).toEqual([{ t: 'move', game: 'abcdefgh', ply: 2, uci: 'g1f3' }]);
});

test('a premove that is not legal is forgotten', () => {
  expect(layDown('g1', 'f3', 'g1h3')).toEqual([]);
});

test('a premoved pawn that arrives becomes a queen', () => {
  const fen = '8/P7/8/8/8/8/8/k1K5 w - - 0 1';
  expect(layDown('a7', 'a8', 'a7a8', fen)).toMatchObject([{ uci: 'a7a8q' }]);
});

test('a premove does not outlive a takeback or a refusal', () => {
  const { room } = tell({ kind: 'draw_offered', by: 'black' });
  room.premove = { from: 'g1', to: 'f3' };
  const change = { kind: 'taken_back', ...BACK } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 5, change, clocks: CLOCKS });
  expect(room.premove).toBeNull();
});

test('the opening keeps its last name until a takeback says otherwise', () => {
  const { room } = sit();
  const named = { ...played(1), opening: "B00 King's Pawn Game" } as ServerMsg;
  room.receive(named);
  room.receive(played(2));
  expect(room.view?.opening).toBe("B00 King's Pawn Game");
  const change = { kind: 'taken_back', ...BACK } as const;
  room.receive({ t: 'changed', game: 'abcdefgh', version: 4, change, clocks: CLOCKS });
  expect(room.view?.opening).toBeNull();
});
