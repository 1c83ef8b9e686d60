// The list of users as it is being searched: the first page anew for every question, more pages on demand.
import { listUsers, type UserSearch } from '$lib/api/administration';
import type { UserView } from '$lib/api/types';

export class Users {
  /** What was found, or null until the first answer. */
  list = $state.raw<UserView[] | null>(null);
  /** Where the next page begins, if there is one. */
  next = $state.raw<string | null>(null);
  #asked = 0;

  constructor(private readonly ask: typeof listUsers = listUsers) {}

  /** Searches. An answer to an older question than the last one is dropped. */
  async search(search: UserSearch): Promise<void> {
    const mine = ++this.#asked;
    const page = await this.ask(search);
    if (mine !== this.#asked) return;
    this.list = page.users;
    this.next = page.next;
  }

  /** Adds the next page to the list. */
  async more(search: UserSearch): Promise<void> {
    if (this.next === null) return;
    const mine = this.#asked;
    const page = await this.ask({ ...search, after: this.next });
    if (mine !== this.#asked) return;
    this.list = [...(this.list ?? []), ...page.users];
    this.next = page.next;
  }

  /** Puts a changed user in its place. */
  replace(user: UserView): void {
    this.list = this.list?.map((known) => (known.id === user.id ? user : known)) ?? null;
  }

  /** Takes a user out of the list. */
  drop(id: string): void {
    this.list = this.list?.filter((known) => known.id !== id) ?? null;
  }
}
