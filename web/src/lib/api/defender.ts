// The operations of ChessDefender for one player.
import { request } from './client';
import type { DefenderAttempt, DefenderResults, NewDefenderAttempt, PreparedForm, PreparedList } from './types';

/** The prepared positions, with the best results of all and mine against a level. */
export const listPrepared = (level: number): Promise<PreparedList> =>
  request('GET', `/defender/positions?level=${level}`);

/** The best results at a position against a level, of the engine that plays now or of one of before. */
export const listDefenderResults = (position: string, level: number, engine: string | null): Promise<DefenderResults> =>
  request(
    'GET',
    `/defender/positions/${encodeURIComponent(position)}/results?level=${level}` +
      (engine === null ? '' : `&engine=${encodeURIComponent(engine)}`),
  );

/** Begins an attempt; gives its game. */
export const beginAttempt = (attempt: NewDefenderAttempt): Promise<{ game: string }> =>
  request('POST', '/defender/attempts', attempt);

export const getAttempt = (game: string): Promise<DefenderAttempt> => request('GET', `/defender/attempts/${game}`);

export const addPrepared = (position: PreparedForm): Promise<{ id: string }> =>
  request('POST', '/defender/positions', position);

export const changePrepared = (id: string, position: PreparedForm): Promise<void> =>
  request('PUT', `/defender/positions/${encodeURIComponent(id)}`, position);
