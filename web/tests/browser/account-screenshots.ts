// Draws docs/images/{sign-up,log-in,account,users,cards}-{wide,phone,dark}.png: the real binary, a real browser.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext } from 'playwright-core';
import { test } from 'vitest';
import type { UserPage } from '../../src/lib/api/types';
import { fillSignUp, PASSWORD, QUICK, setUp } from './member';
import { openBrowser, Person } from './person';
import { IMAGES, play, SCREENS } from './pictures';
import { Server } from './server';

/** No persons: what stands on a board. */
const CLASS = ['First Rook', 'Second Knight', 'Third Bishop', 'Fourth Queen', 'Fifth King', 'Sixth Pawn'];
const MATE = 'e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7';

/** Gives three of the class a role or takes their access, so that the list has something to tell. */
async function appoint(api: APIRequestContext): Promise<void> {
  const { users } = (await (await api.get('/api/v1/admin/users?query=5b')).json()) as UserPage;
  const [first, second, third] = users.map(({ id }) => `/api/v1/admin/users/${id}`);
  await api.put(`${first}/roles/arbiter`);
  await api.put(`${second}/roles/director`);
  await api.patch(`${third}`, { data: { state: 'deactivated' } });
}

async function draw(screen: string): Promise<void> {
  const [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  const shoot = async ({ page }: Person, name: string) => {
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(IMAGES, `${name}-${screen}.png`) });
  };
  const owner = await Person.arrive(browser, server.url, SCREENS[screen]);
  const guest = await Person.arrive(browser, server.url, SCREENS[screen]);
  const api = owner.page.context().request;
  await setUp(owner, server);

  await fillSignUp(guest, 'caretaker');
  await guest.sees('This name is taken.');
  await guest.sees('This password is fine.');
  await shoot(guest, 'sign-up');
  await guest.page.goto('/log-in');
  await guest.page.getByLabel('User name or e-mail').fill('Caretaker');
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await shoot(guest, 'log-in');

  await play(api, guest.page.context().request, MATE);
  await owner.page.goto('/account');
  await owner.sees('You won');
  await shoot(owner, 'account');
  await owner.page.goto('/admin/cards');
  await owner.page.getByLabel('Names').fill(CLASS.join('\n'));
  await owner.page.getByLabel('Class or group').fill('5b');
  await owner.presses(`Make ${CLASS.length} accounts`);
  await owner.sees(`${CLASS.length} accounts made`);
  await shoot(owner, 'cards');
  await appoint(api);
  await owner.page.goto('/admin/users');
  await owner.page.locator('tbody tr').first().waitFor();
  await shoot(owner, 'users');
  await browser.close();
  await server.end();
}

test('draw the screenshots of accounts', async () => {
  mkdirSync(IMAGES, { recursive: true });
  for (const screen of Object.keys(SCREENS)) await draw(screen);
});
