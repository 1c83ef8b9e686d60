import { expect, test } from 'vitest';
import type { UserSearch } from '$lib/api/administration';
import type { UserPage, UserView } from '$lib/api/types';
import { Users } from './users.svelte';

const user = (name: string): UserView => ({
  id: name,
  name,
  email: null,
  state: 'active',
  roles: [],
  created_at: 0,
  last_login_at: null,
  totp: false,
  must_change_password: false,
  group: null,
});

/** A server with two pages; every answer waits until it is let go. */
function slowServer(): { users: Users; letGo: (index: number) => Promise<void> } {
  const waiting: Array<() => void> = [];
  const ask = ({ query, after }: UserSearch): Promise<UserPage> =>
    new Promise((answer) =>
      waiting.push(() =>
        answer(
          after === undefined
            ? { users: [user(`${query ?? ''}1`)], next: 'two' }
            : { users: [user(`${query ?? ''}2`)], next: null },
        ),
      ),
    );
  return {
    users: new Users(ask),
    letGo: async (index) => {
      waiting[index]?.();
      await new Promise((done) => setTimeout(done));
    },
  };
}

const names = (users: Users) => users.list?.map(({ name }) => name);

test('an answer that comes late does not replace a newer one', async () => {
  const { users, letGo } = slowServer();
  void users.search({ query: 'a' });
  void users.search({ query: 'ab' });
  await letGo(1);
  await letGo(0);
  expect(names(users)).toEqual(['ab1']);
});

test('the next page is added until there is none', async () => {
  const { users, letGo } = slowServer();
  void users.search({ query: 'x' });
  await letGo(0);
  void users.more({ query: 'x' });
  await letGo(1);
  expect(names(users)).toEqual(['x1', 'x2']);
  expect(users.next).toBeNull();
});

test('a removed user leaves the list', async () => {
  const { users, letGo } = slowServer();
  void users.search({ query: 'x' });
  await letGo(0);
  users.drop('x1');
  expect(names(users)).toEqual([]);
});
