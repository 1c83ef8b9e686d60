// The one WebSocket of a tab: connects, joins rooms, tells them apart, comes back after a break.
// What a message means is the rooms' business (`games/room.svelte.ts`, `lobby/lobby.svelte.ts`).
import { createContext } from 'svelte';
import type { ClientMsg, ServerMsg, ServerMsgOf } from '$lib/api/types';
import { backoff } from './backoff';
import { Pulse } from './pulse';

/** The end of the line: what joins a room listens to its messages. */
export interface Listener {
  /** The last version this listener has seen, or null when it needs the whole state. */
  readonly version: number | null;
  /** Whether something may come at any moment for which somebody waits: a line that dies must not go unnoticed. */
  readonly isAwaiting?: boolean;
  /** A message of this room. */
  receive(message: ServerMsg): void;
  /** The line is open again and the room has been asked for what was missed. */
  rejoined?(): void;
}

/** What of a WebSocket is used here; tests hand in their own. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'onmessage' | 'onclose'>;

/** The outside world, so that tests can be in charge of it. */
export interface Outside {
  connect(): Socket;
  /** Calls back later; gives the way to call it off. */
  after(ms: number, then: () => void): () => void;
  chance(): number;
  /** The moment, in milliseconds that only go forward. */
  now(): number;
}

/** `connecting`: the first try is under way. `lost`: it was open, or could not be opened, and is tried again. */
export type LineState = 'connecting' | 'open' | 'lost';

/** How long a line may take to be opened at the first try, and at any. */
const PATIENCE_MS = 2_500;
const MOST_PATIENCE_MS = 15_000;

export class Live {
  /** How the line is. */
  line = $state<LineState>('connecting');
  /** Whom the server takes this tab for, by its `hello`; null for a stranger. */
  account = $state.raw<string | null>(null);
  /** What the server last said to everybody, until the line is new. */
  notice = $state.raw<ServerMsgOf<'notice'> | null>(null);

  // Nothing on the screen depends on who listens.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #rooms = new Map<string, Listener>();
  #socket: Socket | null = null;
  #attempt = 0;
  #callOff: (() => void) | null = null;
  #pulse: Pulse | null = null;
  /** Since when a line is being opened, and no greeting has come. */
  #dialledAt = 0;

  constructor(private readonly outside: Outside) {}

  /** Opens the line and keeps it open; gives the way to end it. */
  start(): () => void {
    this.#connect();
    return () => {
      this.#callOff?.();
      this.#drop();
    };
  }

  /** Tries again at once, for when the network or the tab has come back. */
  hurry(): void {
    if (this.#socket === null && this.#callOff !== null) this.#connect();
  }

  /** To be called every `BEAT_MS`: feels whether the line lives, and opens a new one if it does not. */
  beat(): void {
    if (this.line !== 'open' || this.#pulse === null) return this.#lookAtDialling();
    const isAwaiting = [...this.#rooms.values()].some((listener) => listener.isAwaiting === true);
    const found = this.#pulse.feel(this.outside.now(), isAwaiting);
    if (found === 'ask') this.send({ t: 'ping' });
    if (found === 'dead') this.renew();
  }

  /** A line that is opened into nowhere says nothing for half a minute: it is given up, later with every try. */
  #lookAtDialling(): void {
    if (this.#socket === null) return;
    const patience = Math.min(PATIENCE_MS * (1 + this.#attempt), MOST_PATIENCE_MS);
    if (this.outside.now() - this.#dialledAt < patience) return;
    this.#drop();
    this.#retry();
  }

  /** Opens a new line: who has just become somebody is known only to a new handshake. */
  renew(): void {
    this.#drop();
    this.#connect();
  }

  /** Listens to a room; gives the way to leave it. A room has one listener per tab. */
  join(room: string, listener: Listener): () => void {
    this.#rooms.set(room, listener);
    if (this.line === 'open') this.#enter(room, listener, listener.version);
    return () => {
      if (this.#rooms.get(room) !== listener) return;
      this.#rooms.delete(room);
      if (!isOwn(room)) this.send({ t: 'leave', room });
    };
  }

  /** Sends if the line is open; tells whether it did. */
  send(message: ClientMsg): boolean {
    if (this.line !== 'open' || this.#socket === null) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Asks for everything after `version`, or for the state when the listener has none. */
  catchUp(room: string, version: number | null): void {
    this.send(version === null ? { t: 'join', room } : { t: 'resume', room, version });
  }

  #connect(): void {
    this.#callOff?.();
    this.#callOff = null;
    const socket = this.outside.connect();
    this.#socket = socket;
    this.#dialledAt = this.outside.now();
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as ServerMsg);
    socket.onclose = () => this.#retry();
  }

  #drop(): void {
    if (this.#socket === null) return;
    this.#socket.onmessage = null;
    this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
    this.line = 'lost';
  }

  #retry(): void {
    this.#socket = null;
    this.line = 'lost';
    const wait = backoff(this.#attempt, this.outside.chance());
    this.#attempt += 1;
    this.#callOff = this.outside.after(wait, () => this.#connect());
  }

  #receive(message: ServerMsg): void {
    this.#pulse?.heard(this.outside.now());
    switch (message.t) {
      case 'pong':
        break;
      case 'hello':
        this.#greeted(message);
        break;
      case 'notice':
        this.notice = message.code === 'storage_back' ? null : message;
        break;
      default:
        for (const listener of this.#listenersOf(message)) listener.receive(message);
    }
  }

  /** A refusal that names no game concerns whatever was asked last: everybody hears it. */
  #listenersOf(message: Exclude<ServerMsg, { t: 'hello' | 'notice' | 'pong' }>): Listener[] {
    if (message.t === 'rejected' && message.game === null) return [...this.#rooms.values()];
    const listener = this.#rooms.get(roomOf(message));
    return listener === undefined ? [] : [listener];
  }

  #greeted(hello: ServerMsgOf<'hello'>): void {
    const isSomebodyElse = hello.account !== this.account;
    this.account = hello.account;
    this.notice = null;
    this.line = 'open';
    const now = this.outside.now();
    this.#pulse = new Pulse(now, now - this.#dialledAt);
    this.#attempt = 0;
    // Somebody else sees other things: what was told to the one before is told anew.
    for (const [room, listener] of this.#rooms) this.#enter(room, listener, isSomebodyElse ? null : listener.version);
  }

  #enter(room: string, listener: Listener, version: number | null): void {
    if (!isOwn(room)) this.catchUp(room, version);
    listener.rejoined?.();
  }
}

/** Rooms of this tab alone, which the server does not know: what answers questions of the tab is heard there. */
const isOwn = (room: string): boolean => room.startsWith('@');

/** Where a message belongs. The queue and the beginning of a game concern me, wherever I am. */
function roomOf(message: Exclude<ServerMsg, { t: 'hello' | 'notice' | 'pong' }>): string {
  if (message.t === 'queue' || message.t === 'begin') return 'me';
  if (message.t === 'engine_lines' || message.t === 'analysis_state') return '@analysis';
  if (message.t === 'event_chat') return `event:${message.event}`;
  return 'room' in message ? message.room : `game:${message.game}`;
}

/** The browser as the outside world. */
export const browserOutside: Outside = {
  connect: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/ws`),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
  chance: Math.random,
  now: () => performance.now(),
};

/** The tab's line, handed down by the layout. */
export const [getLive, setLive] = createContext<Live>();
