// The talk beside a game: which lines are shown, what is unread, whom one does not want to hear.
import type { ChatLine, ChatRoom, GameView } from '$lib/api/types';

/** What can be said with one press: the server's own words, in its order. */
export const PRESETS = [
  'Hello',
  'Good luck',
  'Have fun!',
  'Good game',
  'Thank you',
  'I have to go, bye!',
  'Sorry',
] as const;

/** The rooms somebody can look into: players hear each other, watchers each other, and all of them after the end. */
export function roomsFor({ you, outcome }: Pick<GameView, 'you' | 'outcome'>): ChatRoom[] {
  if (you === null) return ['watchers'];
  return outcome === null ? ['players'] : ['players', 'watchers'];
}

export class Talk {
  /** Whether the talk is before the eyes. */
  isOpen = $state(false);
  /** Whose lines are not shown. */
  muted = $state.raw<readonly string[]>([]);

  #view: () => GameView;
  #chosen = $state<ChatRoom | null>(null);
  /** How many lines have been before the eyes. */
  #read = $state(0);

  constructor(view: () => GameView) {
    this.#view = view;
    // Who was muted before is not heard here either, and can be heard again.
    this.muted = view().muted;
    this.#read = view().chat.length;
  }

  /** The rooms to choose from. */
  rooms = $derived.by((): ChatRoom[] => roomsFor(this.#view()));

  /** The room looked at: the one that was chosen, as long as it is open. A stranger who sits down becomes a player. */
  get room(): ChatRoom {
    const [first = 'watchers'] = this.rooms;
    return this.#chosen !== null && this.rooms.includes(this.#chosen) ? this.#chosen : first;
  }

  set room(room: ChatRoom) {
    this.#chosen = room;
  }

  /** What is to be seen in this room. */
  lines = $derived.by((): ChatLine[] =>
    this.#view().chat.filter((line) => line.room === this.room && !this.muted.includes(line.by.id)),
  );

  /** Whether somebody has said something that was not before the eyes yet. */
  hasUnread = $derived.by((): boolean => {
    if (this.isOpen) return false;
    const unread = this.#view().chat.slice(this.#read);
    return unread.some(({ by }) => !this.muted.includes(by.id) && by.id !== this.me);
  });

  /** My account in this game, if I play. */
  get me(): string | null {
    const { you, players } = this.#view();
    return you === null ? null : players[you].id;
  }

  /** Everything there is has been seen. */
  read(): void {
    this.#read = this.#view().chat.length;
  }

  /** Hears somebody no longer, or again. */
  toggleMute(id: string): void {
    this.muted = this.muted.includes(id) ? this.muted.filter((other) => other !== id) : [...this.muted, id];
  }
}
