// The operations on the game library: files in, lists, the explorer, files out.
import { ApiError, request } from './client';
import type {
  Color,
  ConnectionList,
  ConnectionService,
  ConnectionView,
  ExplorerView,
  ImportProblem,
  ImportView,
  LibraryGameView,
  LibraryPage,
  LibraryStatistics,
} from './types';

/** Somebody's imports, newest first. */
export const listImports = (): Promise<{ imports: ImportView[] }> => request('GET', '/library/imports');

/** Begins an import of a file of this name and length. */
export const beginImport = (fileName: string, bytes: number): Promise<ImportView> =>
  request('POST', '/library/imports', { file_name: fileName, bytes });

/** How far an import is. */
export const getImport = (id: number): Promise<ImportView> => request('GET', `/library/imports/${id}`);

/** Stops an import, or takes its games out again. */
export const endImport = (id: number, removeGames: boolean): Promise<ImportView> =>
  request('DELETE', `/library/imports/${id}?remove_games=${removeGames}`);

/** What was wrong in the file of an import. */
export const listImportProblems = (id: number): Promise<{ problems: ImportProblem[] }> =>
  request('GET', `/library/imports/${id}/problems`);

/** Sends the next piece of an import's file. */
export async function sendPiece(id: number, offset: number, piece: Blob): Promise<ImportView> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/library/imports/${id}/file?offset=${offset}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: piece,
    });
  } catch {
    throw new ApiError(0, 'offline', 'The server cannot be reached. Please try again in a moment.');
  }
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
    const text = problem.detail ?? `The server answered with an error (${response.status}).`;
    const seconds = Number(response.headers.get('retry-after') ?? NaN);
    const wait = Number.isFinite(seconds) ? seconds * 1_000 : undefined;
    throw new ApiError(response.status, problem.code ?? 'unknown', text, [], wait);
  }
  return (await response.json()) as ImportView;
}

/** My connected accounts, and the sites there are. */
export const listConnections = (): Promise<ConnectionList> => request('GET', '/library/connections');

/** Says that an account at a site is mine. */
export const connectAccount = (service: ConnectionService, name: string): Promise<ConnectionView> =>
  request('POST', '/library/connections', { service, name });

/** Has the proof looked at: the code in the profile, or a token. */
export const proveConnection = (id: number, token: string | null): Promise<ConnectionView> =>
  request('POST', `/library/connections/${id}/proof`, { token });

/** Brings the games of a connected account up to date now. */
export const syncConnection = (id: number): Promise<ConnectionView> =>
  request('POST', `/library/connections/${id}/sync`, {});

/** Disconnects an account. */
export const disconnectAccount = (id: number, removeGames: boolean): Promise<void> =>
  request('DELETE', `/library/connections/${id}?remove_games=${removeGames}`);

/** A page of games; the query says which. */
export const listLibraryGames = (query: string): Promise<LibraryPage> => request('GET', `/library/games?${query}`);

/** A game with everything in it. */
export const getLibraryGame = (number: string): Promise<LibraryGameView> =>
  request('GET', `/library/games/${encodeURIComponent(number)}`);

/** The same as a stranger: for a page inside another site, which shows what everybody may see and nothing else. */
export async function getOpenLibraryGame(number: string): Promise<LibraryGameView> {
  const response = await fetch(`/api/v1/library/games/${encodeURIComponent(number)}`, { credentials: 'omit' });
  if (!response.ok) throw new ApiError(response.status, 'unknown_game', '');
  return (await response.json()) as LibraryGameView;
}

/** Removes a game that I have brought. */
export const removeLibraryGame = (number: number): Promise<void> => request('DELETE', `/library/games/${number}`);

/** What was played in a position. */
export const explorePosition = (query: string): Promise<ExplorerView> => request('GET', `/library/explorer?${query}`);

/** Sums over many games. */
export const getStatistics = (query: string): Promise<LibraryStatistics> =>
  request('GET', `/library/statistics?${query}`);

/** Where a game is as a file. */
export const libraryPgnAddress = (number: number): string => `/api/v1/library/games/${number}/pgn`;

/** Where the games of a question are as a file; the form says how the file looks. */
export const exportAddress = (query: string, form: string): string =>
  `/api/v1/library/export?${[query, form].filter((part) => part !== '').join('&')}`;

/** Where a picture of a position is. */
export function pictureAddress(kind: 'svg' | 'png', fen: string, side: Color, last: string): string {
  const placement = fen.split(' ')[0] ?? fen;
  const parts = { fen: placement, side: side === 'white' ? '' : side, last };
  const asked = Object.entries(parts).filter(([, value]) => value !== '');
  return `/api/v1/pictures/position.${kind}?${asked.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
