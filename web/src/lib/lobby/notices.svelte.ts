// What concerns me on every page: my place in the queue, challenges to me and by me, my running games.
import { createContext } from 'svelte';
import type { Challenge, GameCard, QueuePlace, QueueTerms, ServerMsg } from '$lib/api/types';
import type { Listener, Live } from '$lib/live/live.svelte';

/** What the page does when something happens to me. */
export interface Hooks {
  /** A game of mine has begun; `isAwaited` if this tab has waited for it, `isLive` if it is played at once. */
  begun(game: string, isAwaited: boolean, isLive: boolean): void;
  /** Something that was asked was refused. */
  refused(reason: string): void;
  /** Somebody has challenged me. */
  challenged(challenge: Challenge): void;
}

type Line = Pick<Live, 'send'>;

export class Notices implements Listener {
  /** The open challenges to me and by me. */
  challenges = $state.raw<Challenge[]>([]);
  /** My running games. */
  games = $state.raw<GameCard[]>([]);
  /** `performance.now()` when they arrived. */
  receivedAt = $state(0);
  /** My place in the queue as the server last told it. */
  place = $state.raw<QueuePlace | null>(null);
  /** `performance.now()` when it arrived. */
  placeAt = $state(0);
  /** What this tab looks for; said again when the line is new, for the server keeps a place for a moment only. */
  wanted = $state.raw<QueueTerms | null>(null);
  /** There is no history: who comes back asks for the state. */
  readonly version = null;

  #isKnown = false;

  constructor(
    private readonly line: Line,
    private readonly hooks: Hooks,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The challenges that wait for my answer. */
  get incoming(): Challenge[] {
    return this.challenges.filter((challenge) => !challenge.is_mine && challenge.state === 'open');
  }

  /** Whether this is a running game of mine in which a clock runs down by the second. */
  isAtLiveBoard(game: string | undefined): boolean {
    return this.games.some(({ id, time }) => id === game && (time.kind === 'fischer' || time.kind === 'stages'));
  }

  /** What I wait for, if I wait: the server's word, or what was just asked of it. */
  get waiting(): QueueTerms | null {
    return this.place ?? this.wanted;
  }

  /** Looks for an opponent. Who looks already looks for this instead. */
  joinQueue(terms: QueueTerms): void {
    this.wanted = terms;
    this.line.send({ t: 'queue_join', ...terms });
  }

  leaveQueue(): void {
    this.wanted = null;
    this.place = null;
    this.line.send({ t: 'queue_leave' });
  }

  rejoined(): void {
    this.place = null;
    if (this.wanted !== null) this.line.send({ t: 'queue_join', ...this.wanted });
  }

  receive(message: ServerMsg): void {
    switch (message.t) {
      case 'state':
        if (message.state.kind === 'me') this.#replace(message.state);
        break;
      case 'queue':
        this.#queue(message.waiting);
        break;
      case 'begin':
        this.#begin(message.game, message.live);
        break;
      case 'rejected':
        this.wanted = this.place === null ? null : this.wanted;
        this.hooks.refused(message.reason);
        break;
    }
  }

  #replace({ challenges, games }: { challenges: Challenge[]; games: GameCard[] }): void {
    const known = this.challenges.map(({ id }) => id);
    this.challenges = challenges;
    this.games = games;
    this.receivedAt = this.now();
    // What stood there when the page was opened is shown, but not announced.
    if (this.#isKnown)
      this.incoming.filter(({ id }) => !known.includes(id)).forEach((each) => this.hooks.challenged(each));
    this.#isKnown = true;
  }

  #queue(place: QueuePlace | null): void {
    this.place = place;
    this.placeAt = this.now();
    if (place === null) this.wanted = null;
  }

  #begin(game: string, isLive: boolean): void {
    const isAwaited = isLive && this.waiting !== null;
    if (isLive) {
      this.place = null;
      this.wanted = null;
    }
    this.hooks.begun(game, isAwaited, isLive);
  }
}

/** The notices of this tab, handed down by the layout. */
export const [getNotices, setNotices] = createContext<Notices>();
