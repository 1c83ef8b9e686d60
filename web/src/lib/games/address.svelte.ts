// What stands at `/<id>`: the same address is first a challenge and then its game. The server knows which; this asks.
import type { Challenge, ServerMsg } from '$lib/api/types';
import type { Listener, Live } from '$lib/live/live.svelte';
import { GameRoom } from './room.svelte';

/** How long one waits before a room is asked for again that the server could not open just now. */
const AGAIN_MS = 1000;
/** What the server says of a room that does not exist; anything else passes. */
const MISSING: readonly string[] = ['unknown_game', 'unknown_challenge'];

export class Address {
  readonly game: GameRoom;
  /** The challenge, while there is no game yet. */
  challenge = $state.raw<Challenge | null>(null);
  /** Neither a game nor a challenge is here. */
  isMissing = $state(false);

  #leave: () => void = () => {};
  /** The challenge was accepted: its game must be here. */
  #isAccepted = false;

  constructor(
    readonly id: string,
    private readonly live: Live,
    refused: (reason: string) => void,
    private readonly after: (ms: number, then: () => void) => () => void = callLater,
  ) {
    this.game = new GameRoom(id, live, refused);
  }

  /** Goes there; gives the way to leave. */
  open(): () => void {
    this.#joinGame();
    return () => this.#leave();
  }

  /** The challenge has become a game. */
  accepted(): void {
    this.#isAccepted = true;
    this.#joinGame();
  }

  #joinGame(): void {
    const { game } = this;
    this.#enter(`game:${this.id}`, {
      isAwaiting: game.isAwaiting,
      get version() {
        return game.version;
      },
      receive: (message) => {
        if (message.t !== 'gone') game.receive(message);
        else if (!MISSING.includes(message.code)) this.#again(() => this.#joinGame());
        else if (this.#isAccepted) this.isMissing = true;
        else this.#joinChallenge();
      },
      rejoined: () => game.rejoined(),
    });
  }

  #joinChallenge(): void {
    this.#enter(`challenge:${this.id}`, {
      isAwaiting: true,
      version: null,
      receive: (message) => this.#hearChallenge(message),
    });
  }

  #hearChallenge(message: ServerMsg): void {
    if (message.t === 'gone' && !MISSING.includes(message.code)) this.#again(() => this.#joinChallenge());
    else if (message.t === 'gone') this.isMissing = true;
    if (message.t !== 'state' || message.state.kind !== 'challenge') return;
    if (message.state.state === 'accepted') this.accepted();
    else this.challenge = message.state;
  }

  /** The storage was away, or something went wrong: that is no answer, and is asked again. */
  #again(join: () => void): void {
    this.#leave();
    this.#leave = this.after(AGAIN_MS, join);
  }

  #enter(room: string, listener: Listener): void {
    this.#leave();
    this.#leave = this.live.join(room, listener);
  }
}

function callLater(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
