// How somebody likes it: kept by the server with their account, the house's own taste for everybody else.
import { createContext } from 'svelte';
import type { Me, Preferences as Values } from '$lib/api/types';
import { translateSan } from './notation';

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

  constructor(me: () => Me | null) {
    this.#kept = () => me()?.player?.preferences;
  }

  /** What holds now. */
  get now(): Values {
    return this.trial ?? this.#kept() ?? HOUSE;
  }

  /** A move as the one who reads likes it; `before` is the position it was made in, where that is known. */
  written(san: string, before?: string): string {
    return translateSan(san, this.now.notation, before);
  }
}

/** The preferences, handed down by the layout. */
export const [getPreferences, setPreferences] = createContext<Preferences>();
