// The only place that fetches. One function per operation of the API that the pages need.
import type { Challenge, GameView, Me, NewChallenge, Online, PlayerView, Problem, RefusalReason } from './types';

/** An answer that is not a success; `code` is for programs, `message` for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
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

/** Who is here now. */
export const listOnline = (): Promise<Online> => request('GET', '/online');

/** Players whose name begins so. */
export const searchPlayers = (query: string): Promise<{ players: PlayerView[] }> =>
  request('GET', `/players?limit=8&query=${encodeURIComponent(query)}`);

/** Hears a player no longer, or again. */
export const mutePlayer = (name: string, isMuted: boolean): Promise<void> =>
  request(isMuted ? 'PUT' : 'DELETE', `/players/${encodeURIComponent(name)}/mute`);

/** Withdraws my challenge. */
export const cancelChallenge = (id: string): Promise<void> => request('DELETE', `/challenges/${id}`);

/** The one-time set-up of a new club. */
export const setUpClub = (token: string, club_name: string): Promise<void> =>
  request('POST', '/setup', { token, club_name });

/** Where the picture of a challenge's QR code is. */
export const qrAddress = (id: string): string => `/api/v1/challenges/${id}/qr.svg`;

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

async function send(method: string, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, 'offline', 'The server cannot be reached. Please try again in a moment.');
  }
}

/** A proxy in between may answer with something that is not a problem document. */
async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    return new ApiError(response.status, problem.code, problem.detail || problem.title);
  } catch {
    return new ApiError(response.status, 'unknown', `The server answered with an error (${response.status}).`);
  }
}
