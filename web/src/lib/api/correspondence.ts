// What slow games and the arbiter's desk ask of the server.
import { request } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];
type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type ArbiterGame = Told<Schemas['ArbiterGame']>;
export type ClockState = Told<Schemas['ClockState']>;
export type Decision = Told<Schemas['DecisionView']>;
export type Desk = Told<Schemas['Desk']>;
export type Inbox = Told<Schemas['Inbox']>;
export type Leave = Told<Schemas['LeaveView']>;
export type LineMove = Told<Schemas['LineMove']>;
export type ConsideredLine = Told<Schemas['ConsideredLine']>;
export type LogEntry = Told<Schemas['LogEntry']>;
export type MyGame = Told<Schemas['MyGame']>;
export type MyGames = Told<Schemas['MyGames']>;
export type NewRuling = Partial<Schemas['NewRuling']> & Pick<Schemas['NewRuling'], 'act' | 'reason'>;
export type Remark = Told<Schemas['RemarkView']>;
export type Plan = Told<Schemas['PlanView']>;

/** My running games, those that wait for me first. */
export const getMyGames = (): Promise<MyGames> => request('GET', '/me/games');

/** What waits for me. */
export const getInbox = (): Promise<Inbox> => request('GET', '/me/inbox');

/** Puts an answer (`challenge:ID`) or a decision (`decision:NUMBER`) away. */
export const putAway = (item: string): Promise<void> => request('DELETE', `/me/inbox/${item}`);

/** Goes on leave wherever there is some, or comes back. */
export const setLeaveEverywhere = (isAway: boolean): Promise<{ games: number }> =>
  request(isAway ? 'POST' : 'DELETE', '/me/leave');

/** Goes on leave in a game, or comes back. */
export const setLeave = (game: string, isAway: boolean): Promise<unknown> =>
  request(isAway ? 'POST' : 'DELETE', `/games/${game}/leave`);

/** What I have beside a board. What was said there counts as read. */
export const getDesk = (game: string): Promise<Desk> => request('GET', `/games/${game}/desk`);

/** Keeps my note about a game, also if the page is just going away. */
export const setNote = (game: string, text: string, isLeaving = false): Promise<void> =>
  request('PUT', `/games/${game}/note`, { text }, isLeaving ? 'last' : 'json');

/** Keeps my conditional moves. */
export const setPlan = (game: string, lines: readonly (readonly string[])[]): Promise<Plan> =>
  request('PUT', `/games/${game}/conditional`, { lines });

/** The position after some moves from where a game is. */
export const getLine = (game: string, moves: readonly string[]): Promise<ConsideredLine> =>
  request('GET', `/games/${game}/line?moves=${encodeURIComponent(moves.join(','))}`);

/** What arbiters decided about a game. */
export const getDecisions = (game: string): Promise<Decision[]> => request('GET', `/games/${game}/decisions`);

/** Whether the machine's calendar agrees with the time that has passed. For administrators. */
export const getClock = (): Promise<ClockState> => request('GET', '/admin/clock');

/** An administrator has looked: the calendar is right as it is. */
export const acceptClock = (): Promise<ClockState> => request('POST', '/admin/clock');

/** A game on the arbiter's desk. */
export const openGame = (game: string): Promise<ArbiterGame> => request('GET', `/arbiter/games/${game}`);

/** The last decisions about all games. */
export const getLastDecisions = (): Promise<Decision[]> => request('GET', '/arbiter/decisions');

/** Rules over a game. */
export const ruleGame = (game: string, ruling: NewRuling): Promise<ArbiterGame> =>
  request('POST', `/arbiter/games/${game}/rulings`, ruling);

/** Calls an arbiter to a game of mine. */
export const callArbiter = (game: string, text: string): Promise<void> =>
  request('POST', `/games/${game}/calls`, { text });

/** The calls that wait for an arbiter. */
export const getCalls = (): Promise<Remark[]> => request('GET', '/arbiter/calls');

/** The calls about a game are seen to. */
export const settleCalls = (game: string): Promise<ArbiterGame> => request('DELETE', `/arbiter/games/${game}/calls`);

/** Notes something about a game, for other arbiters. */
export const noteGame = (game: string, text: string): Promise<ArbiterGame> =>
  request('POST', `/arbiter/games/${game}/notes`, { text });
