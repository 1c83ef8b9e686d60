// The engine of the server, as this tab asks it: one question at a time, the newest counts.
import type { AnalysisState, ClientMsg, EngineLine, PositionQuestion, ServerMsg } from '$lib/api/types';
import type { Listener, Live } from '$lib/live/live.svelte';

/** The room that engines answer in; the server does not know it. */
export const ENGINE_ROOM = '@analysis';

/** What an engine has said about the position it was asked about. */
export interface Told {
  depth: number;
  nodes: number;
  speed: number;
  lines: EngineLine[];
}

export type Aim = NonNullable<Extract<ClientMsg, { t: 'analyse' }>['aim']>;

/** What is asked. */
export interface Wish {
  position: PositionQuestion;
  lines: number;
  aim: Aim;
  /** The engine's key; null for the usual one. */
  engine: string | null;
}

/** Where an engine is asked: at the server, or in this browser. */
export interface Desk {
  readonly told: Told | null;
  readonly state: AnalysisState | null;
  readonly wish: Wish | null;
  ask(wish: Wish): void;
  stop(): void;
}

/** The key of the engine that runs in this browser; the server does not know it. */
export const IN_BROWSER = '@browser';

export class EngineDesk implements Listener, Desk {
  readonly version = null;
  /** What the engine has said about the last question. */
  told = $state.raw<Told | null>(null);
  /** How the last question fares; null while there is none. */
  state = $state.raw<AnalysisState | null>(null);
  /** What was asked last; null when nothing is. */
  wish = $state.raw<Wish | null>(null);
  #id = 0;

  constructor(private readonly line: Pick<Live, 'send'>) {}

  /** Asks something new; what was asked before is forgotten. */
  ask(wish: Wish): void {
    this.wish = wish;
    this.told = null;
    this.state = null;
    this.#send();
  }

  /** Wants to hear no more. What was said stays. */
  stop(): void {
    if (this.wish === null) return;
    this.wish = null;
    this.#id += 1;
    this.line.send({ t: 'stop_analysis' });
  }

  receive(message: ServerMsg): void {
    if (message.t === 'engine_lines' && message.id === this.#id) {
      const { depth, nodes, speed, lines } = message;
      this.told = { depth, nodes, speed, lines };
    } else if (message.t === 'analysis_state' && message.id === this.#id) {
      this.state = message.state;
    }
  }

  /** The line was gone, and with it the question. */
  rejoined(): void {
    if (this.wish !== null && this.state?.kind !== 'done') this.#send();
  }

  #send(): void {
    if (this.wish === null) return;
    this.#id += 1;
    this.line.send({ t: 'analyse', id: this.#id, ...this.wish });
  }
}
