// The public list of ratings.
import { request } from './client';
import type { components } from './schema';
import type { PlayerView } from './types';

type Told<T> = T extends object ? { [K in keyof T]-?: Told<T[K]> } : T;

export type RatingList = Told<components['schemas']['RatingList']>;
export type RatedPlayer = Omit<RatingList['players'][number], 'player'> & { player: PlayerView };

/** The players of a pool by rating; the query says which. */
export const getRatings = (query: string): Promise<RatingList> => request('GET', `/ratings?${query}`);
