// The only place that fetches. One function per operation of the API that the pages need; those of accounts and of the
// administration stand in files of their own.
import type {
  BotList,
  Challenge,
  ClubSetup,
  FieldProblem,
  GamePage,
  GameView,
  HistoryPage,
  Leaderboard,
  LeaderboardList,
  Me,
  NewChallenge,
  Online,
  PlayerView,
  Problem,
  ProfileView,
  RatingChart,
  RefusalReason,
  VersusView,
} from './types';

/** An answer that is not a success; `code` is for programs, `message` for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** What is wrong with which field of a form. */
    readonly fields: readonly FieldProblem[] = [],
    /** How long the server wants to be left alone, if it says so. */
    readonly waitMs?: number,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Who I am and which club this is. */
export const getMe = (): Promise<Me> => request('GET', '/me');

/** Opens a challenge that anybody with its link can accept. */
export const createChallenge = (challenge: NewChallenge): Promise<Challenge> =>
  request('POST', '/challenges', challenge);

/** Accepts a challenge; its game has the same id. */
export const acceptChallenge = (id: string): Promise<GameView> => request('POST', `/challenges/${id}/acceptance`);

/** Declines a challenge to me, and says why. */
export const declineChallenge = (id: string, reason: RefusalReason): Promise<void> =>
  request('POST', `/challenges/${id}/refusal`, { reason });

/** Makes a stranger a guest, so that the server knows who waits; whoever has an account keeps it. */
export const becomeGuest = (): Promise<void> => request('POST', '/guest');

/** The opponents that are engines, weakest first. */
export const listBots = (): Promise<BotList> => request('GET', '/bots');

/** Running games, newest first: a page that begins behind `before`, the `next` of the page before. */
export const listGames = (before: string | null): Promise<GamePage> =>
  request('GET', before === null ? '/games' : `/games?before=${encodeURIComponent(before)}`);

/** Who is here now. */
export const listOnline = (): Promise<Online> => request('GET', '/online');

/** Players whose name begins so. */
export const searchPlayers = (query: string): Promise<{ players: PlayerView[] }> =>
  request('GET', `/players?limit=8&query=${encodeURIComponent(query)}`);

/** Withdraws my challenge. */
export const cancelChallenge = (id: string): Promise<void> => request('DELETE', `/challenges/${id}`);

/** The one-time set-up of a new club; its first administrator is logged in. */
export const setUpClub = (setup: ClubSetup): Promise<void> => request('POST', '/setup', setup);

/** Where the picture of a challenge's QR code is. */
export const qrAddress = (id: string): string => `/api/v1/challenges/${id}/qr.svg`;

/** Everything the page of a player begins with. */
export const getProfile = (name: string): Promise<ProfileView> => request('GET', playerPath(name));

/** A page of a player's finished games; the query says which. */
export const getHistory = (name: string, query: string): Promise<HistoryPage> =>
  request('GET', `${playerPath(name)}/games?${query}`);

/** How a player's rating went in a pool. */
export const getRatingChart = (name: string, pool: string): Promise<RatingChart> =>
  request('GET', `${playerPath(name)}/ratings?${new URLSearchParams({ pool }).toString()}`);

/** Two players against each other, seen from the first. */
export const getVersus = (name: string, other: string): Promise<VersusView> =>
  request('GET', `${playerPath(name)}/versus/${encodeURIComponent(other)}`);

/** Does not want to hear somebody. */
export const mutePlayer = (name: string): Promise<void> => request('PUT', `${playerPath(name)}/mute`);

/** Hears somebody again. */
export const unmutePlayer = (name: string): Promise<void> => request('DELETE', `${playerPath(name)}/mute`);

/** Does not want to hear somebody who plays or talks at a board. */
export const muteAtGame = (game: string, account: string): Promise<void> =>
  request('PUT', `/games/${game}/mutes/${account}`);

/** Hears somebody of a board again. */
export const unmuteAtGame = (game: string, account: string): Promise<void> =>
  request('DELETE', `/games/${game}/mutes/${account}`);

/** The best of every pool. */
export const getLeaderboards = (): Promise<LeaderboardList> => request('GET', '/leaderboards');

/** The best of a pool, from a place on. */
export const getLeaderboard = (variant: string, speed: string, after: string | null): Promise<Leaderboard> =>
  request(
    'GET',
    `/leaderboards/${encodeURIComponent(variant)}/${encodeURIComponent(speed)}` +
      (after === null ? '' : `?${new URLSearchParams({ after }).toString()}`),
  );

/** Where a game is as PGN. */
export const pgnAddress = (id: string): string => `/api/v1/games/${id}/pgn`;

const playerPath = (name: string): string => `/players/${encodeURIComponent(name)}`;

/**
 * Asks the server; `path` begins after `/api/v1`. Answers that are no JSON are asked for as text; what a page says last
 * arrives though the page goes away. For this folder only.
 */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  kind: 'json' | 'text' | 'last' = 'json',
): Promise<T> {
  const response = await send(method, path, body, kind === 'last');
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  if (kind === 'text') return text as T;
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Browsers carry no more than this for a page that has gone. */
const MOST_LAST_BYTES = 60_000;

async function send(method: string, path: string, body: unknown, isLast: boolean): Promise<Response> {
  const text = body === undefined ? null : JSON.stringify(body);
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: text,
      keepalive: isLast && new Blob([text ?? '']).size <= MOST_LAST_BYTES,
    });
  } catch {
    throw new ApiError(0, 'offline', 'The server cannot be reached. Please try again in a moment.');
  }
}

/** A proxy in between may answer with something that is not a problem document. */
async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    return new ApiError(response.status, problem.code, sentence(problem.detail || problem.title), problem.fields ?? []);
  } catch {
    return new ApiError(response.status, 'unknown', `The server answered with an error (${response.status}).`);
  }
}

/** The server says what is wrong as part of a sentence; here it stands alone. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
