// The explorer's way through the moves: where it stands, how it came there.
import type { ExplorerView } from '$lib/api/types';
import { squaresOf } from './words';

/** A step on the way: the position after a move. */
export interface Step {
  fen: string;
  san: string;
  uci: string;
}

export class Explorer {
  /** What the server says of the position; null until the first answer. */
  view = $state.raw<ExplorerView | null>(null);
  /** The moves that led here. */
  path = $state.raw<readonly Step[]>([]);
  /** The position the way begins with; empty for the usual one. */
  start = $state('');
  /** Counts refused moves: the board is drawn anew. */
  revision = $state(0);
  isLoading = $state(false);
  #asked = 0;

  constructor(
    private readonly ask: (parts: { fen: string; play?: string }) => Promise<ExplorerView>,
    private readonly failed: (error: unknown) => void,
  ) {}

  get fen(): string {
    return this.path.at(-1)?.fen ?? this.start;
  }

  get last(): readonly [string, string] | null {
    return squaresOf(this.path.at(-1)?.uci);
  }

  /** Asks again for where it stands: the question has changed. */
  refresh(): Promise<void> {
    return this.#go({ fen: this.fen }, this.path);
  }

  /** Begins anew with a position, and plays a move in it if one is named. */
  async begin(fen: string, play = ''): Promise<void> {
    this.start = fen;
    if (play !== '') {
      this.path = [];
      await this.#play(play, []);
      if (this.path.length > 0) return;
      // A move that cannot be played leaves the position to look at.
    }
    await this.#go({ fen }, []);
  }

  /** Goes back to where so many moves are played. */
  back(moves: number): Promise<void> {
    const path = this.path.slice(0, Math.max(0, moves));
    return this.#go({ fen: path.at(-1)?.fen ?? this.start }, path);
  }

  /** Plays a move, as engines or as people write it. */
  play(text: string): Promise<void> {
    return this.#play(text, this.path);
  }

  #play(text: string, path: readonly Step[]): Promise<void> {
    return this.#go({ fen: path.at(-1)?.fen ?? this.start, play: text }, path, ({ fen, played }) =>
      played === null ? path : [...path, { fen, san: played.san, uci: played.uci }],
    );
  }

  async #go(
    parts: { fen: string; play?: string },
    path: readonly Step[],
    after: (view: ExplorerView) => readonly Step[] = () => path,
  ): Promise<void> {
    const mine = ++this.#asked;
    this.isLoading = true;
    try {
      const view = await this.ask(parts);
      if (mine !== this.#asked) return;
      this.view = view;
      this.path = after(view);
    } catch (error) {
      if (mine !== this.#asked) return;
      this.revision += 1;
      this.failed(error);
    } finally {
      if (mine === this.#asked) this.isLoading = false;
    }
  }
}
