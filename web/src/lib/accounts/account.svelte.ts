// My account as the pages under /account know it: loaded once, asked for again after each change.
import { createContext } from 'svelte';
import { getAccount } from '$lib/api/accounts';
import type { AccountView } from '$lib/api/types';

export class Account {
  /** The account, or null until it was told. */
  view = $state.raw<AccountView | null>(null);

  async load(): Promise<void> {
    this.view = await getAccount();
  }
}

/** The account, handed down by the layout of its pages. */
export const [getMyAccount, setMyAccount] = createContext<Account>();
