// The lobby as this tab knows it: who is there, what is offered and what is played. The server sends the whole of it
// whenever it changes.
import type { Challenge, GameCard, ServerMsg } from '$lib/api/types';
import type { Listener } from '$lib/live/live.svelte';

/** Seeks the server tells everybody of; there may be older ones. */
const MOST_SEEKS = 100;

/** The list of seeks with mine in it, however many are newer. */
export function withMine(seeks: readonly Challenge[], mine: readonly Challenge[]): readonly Challenge[] {
  // A list that is whole says of every seek whether it is still there.
  if (seeks.length < MOST_SEEKS) return seeks;
  const isMissing = (own: Challenge): boolean =>
    own.is_mine && own.audience === 'seek' && own.state === 'open' && !seeks.some(({ id }) => id === own.id);
  return [...mine.filter(isMissing), ...seeks];
}

export class Lobby implements Listener {
  /** The running games, or null until they have been told. */
  games = $state.raw<GameCard[] | null>(null);
  /** The game worth looking at. */
  featured = $state.raw<GameCard | null>(null);
  /** Games that are offered to everybody. */
  seeks = $state.raw<Challenge[]>([]);
  /** How many people are here. */
  online = $state(0);
  /** How many games are being played. */
  playing = $state(0);
  /** `performance.now()` when all this arrived. */
  receivedAt = $state(0);
  /** The lobby has no history: who comes back asks for the state. */
  readonly version = null;

  receive(message: ServerMsg): void {
    if (message.t !== 'state' || message.state.kind !== 'lobby') return;
    const { games, featured, seeks, online, playing } = message.state;
    this.games = games;
    this.featured = featured;
    this.seeks = seeks;
    this.online = online;
    this.playing = playing;
    this.receivedAt = performance.now();
  }
}
