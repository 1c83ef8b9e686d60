// The lobby as this tab knows it: the games being played now. The server sends the whole list whenever it changes.
import type { GameCard, ServerMsg } from '$lib/api/types';
import type { Listener } from '$lib/live/live.svelte';

export class Lobby implements Listener {
  /** The running games, or null until they have been told. */
  games = $state.raw<GameCard[] | null>(null);
  /** `performance.now()` when `games` arrived. */
  receivedAt = $state(0);
  /** The lobby has no history: who comes back asks for the state. */
  readonly version = null;

  receive(message: ServerMsg): void {
    if (message.t !== 'state' || message.state.kind !== 'lobby') return;
    this.games = message.state.games;
    this.receivedAt = performance.now();
  }
}
