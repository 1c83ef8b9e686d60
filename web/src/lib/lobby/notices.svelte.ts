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

type Line = Pick<Live, 'send' | 'account'>;

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

  /** Whose state was told last; undefined before the first. */
  #toldTo: string | null | undefined = undefined;
  /** The line is new, and what was missed on the old one is not known yet. */
  #isBack = false;

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
    return this.games.some((card) => card.id === game && isLive(card));
  }

  /** What I wait for, if I wait: the server's word, or what was just asked of it. */
  get waiting(): QueueTerms | null {
    return this.place ?? this.wanted;
  }

  /** A game may begin at any moment. */
  get isAwaiting(): boolean {
    return this.waiting !== null;
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

  /** What waits here may have come true while the line was dead: it is asked for again only after the state. */
  rejoined(): void {
    this.place = null;
    this.#isBack = true;
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
      case 'gone':
        // Nobody has a state before there is an account, and nothing can have begun.
        this.#comeBack([]);
        break;
    }
  }

  #replace({ challenges, games }: { challenges: Challenge[]; games: GameCard[] }): void {
    const known = this.challenges.map(({ id }) => id);
    const knownGames = this.games.map(({ id }) => id);
    const isKnown = this.#toldTo === this.line.account;
    this.challenges = challenges;
    this.games = games;
    this.receivedAt = this.now();
    // What stood there when the page was opened is shown, but not announced.
    if (isKnown) this.incoming.filter(({ id }) => !known.includes(id)).forEach((each) => this.hooks.challenged(each));
    this.#toldTo = this.line.account;
    this.#comeBack(isKnown ? games.filter((card) => isLive(card) && !knownGames.includes(card.id)) : []);
  }

  /** A live game that has begun on a dead line is gone to; else the search goes on. */
  #comeBack(begun: readonly GameCard[]): void {
    if (!this.#isBack) return;
    this.#isBack = false;
    const game = begun[0];
    if (game !== undefined) this.#begin(game.id, true);
    else if (this.wanted !== null) this.line.send({ t: 'queue_join', ...this.wanted });
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

/** Whether a clock runs down by the second in a game. */
const isLive = ({ time }: Pick<GameCard, 'time'>): boolean => time.kind === 'fischer' || time.kind === 'stages';

/** The notices of this tab, handed down by the layout. */
export const [getNotices, setNotices] = createContext<Notices>();
