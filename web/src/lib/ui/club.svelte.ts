// Who I am and where: what the header shows on every page.
import { createContext } from 'svelte';
import { getMe } from '$lib/api/client';
import type { Me, Role } from '$lib/api/types';
import { t } from './text';

export class Club {
  /** The answer of `/me`, or null until it has come. */
  me = $state.raw<Me | null>(null);

  /** The club's name; the software's until the club has one. */
  name = $derived(this.me?.club.name || t('app.name'));

  /** Whether I have one of these roles. */
  hasRole(...roles: Role[]): boolean {
    return roles.some((role) => this.me?.roles.includes(role));
  }

  /** Asks again, for when the club or I have got a name. The page works without an answer. */
  async load(): Promise<void> {
    try {
      this.me = await getMe();
    } catch {
      // The line's banner tells when the server is away.
    }
  }
}

/** The club, handed down by the layout. */
export const [getClub, setClub] = createContext<Club>();
