// The operations of games at one computer, and the PIN by which a member confirms to sit there.
import type { Proof } from './accounts';
import { request } from './client';
import type { GameView, NewTable, OwnPresets, SeatProof, Settled } from './types';

/** Begins a game of two people at this computer. */
export const beginAtOneComputer = (table: NewTable): Promise<GameView> => request('POST', '/one-computer', table);

/** Notes what the two have settled. */
export const settleAtTable = (game: string, settled: Settled): Promise<GameView> =>
  request('POST', `/games/${game}/table`, settled);

/** The presets of the member whose turn it is to hand in an army at somebody else's computer, without their codes. */
export const showOwnPresets = (game: string, proof: Partial<SeatProof>): Promise<OwnPresets> =>
  request('POST', `/games/${game}/presets`, proof);

export const setPin = (pin: string, proof: Proof): Promise<void> => request('PUT', '/account/pin', { pin, ...proof });

export const removePin = (): Promise<void> => request('DELETE', '/account/pin');
