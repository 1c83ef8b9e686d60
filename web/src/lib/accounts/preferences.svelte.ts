// How somebody likes it: kept by the server with their account, by the browser for guests; the house's own taste for
// everybody else.
import { createContext } from 'svelte';
import type { Me, Preferences as Values } from '$lib/api/types';
import { NOTATIONS, readSan, shownTyped, translateSan } from './notation';

/** Where a browser keeps what its guests like. */
const NAME = 'preferences';

/** What a guest gets, and a sign-up begins with. */
export const HOUSE: Values = {
  notation: 'en',
  piece_set: 'cburnett',
  board_theme: 'green',
  board_side: 'own',
  sounds: true,
  move_confirmation: false,
  auto_queen: false,
};

export class Preferences {
  /** What is tried out on the screen and not kept yet. */
  trial = $state.raw<Values | null>(null);
  #kept: () => Values | undefined;
  /** What was chosen in this browser without an account. */
  #here = $state.raw<Values>(HOUSE);

  constructor(
    me: () => Me | null,
    private readonly storage: () => Storage = () => localStorage,
  ) {
    this.#kept = () => me()?.player?.preferences;
    this.#here = this.#read();
  }

  /** What holds now. */
  get now(): Values {
    return this.trial ?? this.#kept() ?? this.#here;
  }

  /** Keeps in this browser what a guest likes; storage may be forbidden, then it holds until the page is closed. */
  keepHere(values: Values): void {
    this.#here = values;
    try {
      this.storage().setItem(NAME, JSON.stringify(values));
    } catch {
      // Nothing to be done, and nothing lost but the memory of it.
    }
  }

  /** What an older page has kept may lack something, or say what nobody knows any more. */
  #read(): Values {
    try {
      const kept = { ...HOUSE, ...(JSON.parse(this.storage().getItem(NAME) ?? '{}') as Partial<Values>) };
      return NOTATIONS.includes(kept.notation) ? kept : { ...kept, notation: HOUSE.notation };
    } catch {
      return HOUSE;
    }
  }

  /**
   * A move as the one who reads likes it; `before` is the position it was made in, where that is known, or whether it
   * was made en passant.
   */
  written(san: string, before?: string | boolean): string {
    return translateSan(san, this.now.notation, before);
  }

  /** Moves one after another from a position on. */
  writtenLine(moves: readonly { san: string; fen: string }[], start: string): string {
    return moves.map(({ san }, i) => this.written(san, moves[i - 1]?.fen ?? start)).join(' ');
  }

  /** A move that was typed in the own letters, as the server reads it in every language. */
  read(typed: string): string {
    return readSan(typed, this.now.notation);
  }

  /** The same in the own letters again. */
  typed(read: string): string {
    return shownTyped(read, this.now.notation);
  }
}

/** The preferences, handed down by the layout. */
export const [getPreferences, setPreferences] = createContext<Preferences>();
