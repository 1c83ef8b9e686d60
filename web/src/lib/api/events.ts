// Events: one function per operation of the API that the pages need.
import { request } from './client';
import type {
  ActionPage,
  BoardPlan,
  ByeKind,
  ByeView,
  Color,
  Consequences,
  EventForm,
  EventOfGame,
  EventPage,
  EventView,
  ImportedEvent,
  Person,
  PlayerCard,
  Proposal,
  ReadList,
  RoundView,
  EventScore,
  StandingsView,
  TimerAct,
  Suggestion,
  System,
  TableView,
} from './types';

const path = (id: string, rest = ''): string => `/events/${encodeURIComponent(id)}${rest}`;

/** A page of events; the query says which. */
export const listEvents = (query: Record<string, string>): Promise<EventPage> =>
  request('GET', `/events?${new URLSearchParams(query).toString()}`);

/** An event with its players. */
export const getEvent = (id: string): Promise<EventView> => request('GET', path(id));

/** The event a game is played in, if there is one that I may know of. */
export const getGameEvent = (game: string): Promise<{ event: EventOfGame | null }> =>
  request('GET', `/games/${encodeURIComponent(game)}/event`);

/** Where everybody stands. */
export const getStandings = (id: string): Promise<StandingsView> => request('GET', path(id, '/standings'));

/** Who meets whom in a round. */
export const getRound = (id: string, round: number): Promise<RoundView> => request('GET', path(id, `/rounds/${round}`));

/** A player of an event with all rounds. */
export const getEntry = (id: string, player: number): Promise<PlayerCard> =>
  request('GET', path(id, `/players/${player}`));

/** How many rounds would suit so many players, and why. */
export const suggestRounds = (system: System, players: number): Promise<Suggestion> =>
  request('GET', `/events/suggestion?${new URLSearchParams({ system, players: String(players) }).toString()}`);

/** Makes an event. */
export const createEvent = (form: EventForm): Promise<EventView> => request('POST', '/events', form);

/** Changes an event. */
export const changeEvent = (id: string, form: EventForm): Promise<EventView> => request('PUT', path(id), form);

/** Deletes an event; its name confirms it. */
export const deleteEvent = (id: string, name: string): Promise<void> => request('DELETE', path(id), { name });

/** Makes another event with the same regulations. */
export const copyEvent = (id: string, players: boolean): Promise<EventView> =>
  request('POST', path(id, '/copy'), { players });

/** Makes an event of a file. */
export const importEvent = (text: string): Promise<ImportedEvent> => request('POST', '/events/import', { text });

/** Lets an event go on to another state. */
export const moveEvent = (id: string, state: string): Promise<EventView> =>
  request('PUT', path(id, '/state'), { state });

/** Enters me. */
export const joinEvent = (id: string): Promise<EventView> => request('POST', path(id, '/entry'));

/** Takes me out. */
export const leaveEvent = (id: string): Promise<EventView> => request('DELETE', path(id, '/entry'));

/** Halves my clock in a game of an arena. */
export const goBerserk = (id: string, game: string): Promise<EventView> =>
  request('POST', path(id, `/games/${encodeURIComponent(game)}/berserk`));

/** Says that I am there. */
export const checkMeIn = (id: string, present: boolean): Promise<EventView> =>
  request('PUT', path(id, '/entry/presence'), { present });

/** Enters people without an account, and members by name. */
export const enterPeople = (id: string, people: Person[], members: string[]): Promise<EventView> =>
  request('POST', path(id, '/players'), { people, members });

/** Reads a pasted list without entering anybody. */
export const readPeople = (id: string, text: string): Promise<ReadList> =>
  request('POST', path(id, '/players/reading'), { text });

/** Changes what is known of somebody. */
export const editEntry = (id: string, player: number, person: Person): Promise<EventView> =>
  request('PUT', path(id, `/players/${player}`), person);

/** Takes a half-point bye in a round to come, or gives it back. */
export const takeBye = (id: string, round: number, wanted: boolean): Promise<EventView> =>
  request('PUT', path(id, `/entry/byes/${round}`), { bye: wanted ? 'half' : null });

/** Takes somebody out who has not played. */
export const removeEntry = (id: string, player: number): Promise<EventView> =>
  request('DELETE', path(id, `/players/${player}`));

/** Says whether somebody is there. */
export const checkIn = (id: string, player: number, present: boolean): Promise<EventView> =>
  request('PUT', path(id, `/players/${player}/presence`), { present });

/** Lets somebody withdraw. */
export const withdraw = (id: string, player: number): Promise<EventView> =>
  request('POST', path(id, `/players/${player}/withdrawal`));

/** Lets somebody come back. */
export const comeBack = (id: string, player: number): Promise<EventView> =>
  request('DELETE', path(id, `/players/${player}/withdrawal`));

/** Grants a bye in a round to come, or cancels it. */
export const setBye = (id: string, player: number, round: number, bye: ByeKind | null): Promise<EventView> =>
  request('PUT', path(id, `/players/${player}/byes/${round}`), { bye });

/** The next round as it would be, with reasons. */
export const getProposal = (id: string): Promise<Proposal> => request('GET', path(id, '/proposal'));

/** What speaks against a round that was changed by hand. */
export const checkRound = (id: string, boards: BoardPlan[], byes: ByeView[]): Promise<{ warnings: string[] }> =>
  request('POST', path(id, '/proposal/check'), { boards, byes });

/** Publishes a round, unless something has happened since the proposal of that version. */
export const publishRound = (
  id: string,
  boards: BoardPlan[],
  byes: ByeView[],
  version: number | null = null,
): Promise<EventView> => request('POST', path(id, '/rounds'), { boards, byes, version });

/** Gives the numbers of a table or a bracket: in this order, by lot, or by strength if the order is empty. */
export const numberPlayers = (id: string, order: number[], byLot = false): Promise<EventView> =>
  request('PUT', path(id, '/numbers'), { order, by_lot: byLot });

/** Sets the timer of the hall. */
export const setTimer = (id: string, act: TimerAct, minutes = 0): Promise<EventView> =>
  request('PUT', path(id, '/timer'), { act, minutes });

/** Takes away what somebody has said in the room of an event. */
export const removeLine = (id: string, number: number): Promise<void> => request('DELETE', path(id, `/talk/${number}`));

/** Changes who sits where in the last round. */
export const reseatRound = (id: string, round: number, boards: BoardPlan[], byes: ByeView[]): Promise<EventView> =>
  request('PUT', path(id, `/rounds/${round}`), { boards, byes });

/** Takes the last round back. */
export const unpairRound = (id: string, round: number): Promise<EventView> =>
  request('DELETE', path(id, `/rounds/${round}`));

/** Says how a board ended, or asks what would follow. */
export const setResult = (
  id: string,
  round: number,
  board: number,
  result: EventScore | null,
  dryRun = false,
  reason = '',
): Promise<Consequences> =>
  request('PUT', path(id, `/rounds/${round}/boards/${board}/result`), { result, dry_run: dryRun, reason });

/** Decides a match of a knockout. */
export const decideMatch = (id: string, winner: number, loser: number, by_lot = false): Promise<EventView> =>
  request('POST', path(id, '/decisions'), { winner, loser, by_lot });

/** Lets a member judge in this event. */
export const nameArbiter = (id: string, name: string): Promise<EventView> =>
  request('POST', path(id, '/arbiters'), { name });

/** Takes that back. */
export const dismissArbiter = (id: string, account: string): Promise<EventView> =>
  request('DELETE', path(id, `/arbiters/${encodeURIComponent(account)}`));

/** The groups of the club, by name. */
export const listGroups = (): Promise<{ groups: string[] }> => request('GET', '/events/groups');

/** What was done, the newest first. */
export const getActions = (id: string, before: number | null): Promise<ActionPage> =>
  request('GET', path(id, `/actions${before === null ? '' : `?before=${before}`}`));

/** Takes an action back. */
export const undoAction = (id: string, version: number): Promise<EventView> =>
  request('POST', path(id, `/actions/${version}/undo`));

/** A table as somebody finds it who scans its code. */
export const getTable = (id: string, table: number, code: string): Promise<TableView> =>
  request('GET', path(id, `/tables/${table}?${new URLSearchParams({ code }).toString()}`));

/** Says how the game at a table ended. */
export const reportResult = (
  id: string,
  table: number,
  report: { code: string; round: number; side: Color; result: EventScore },
): Promise<TableView> => request('POST', path(id, `/tables/${table}`), report);

/** Where a file of an event is: `trf?form=16`, `csv?what=players`, `json`, `pgn`. */
export const exportAddress = (id: string, file: string): string => `/api/v1${path(id, `/export.${file}`)}`;

/** Where the picture of a table's code is. */
export const tableQrAddress = (id: string, table: number): string => `/api/v1${path(id, `/tables/${table}/qr.svg`)}`;
