import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillSetup } from './member';
import { openBrowser, Person, sitDown } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

test('a running game can be found and watched, move by move, with no say in it', async () => {
  const [white, black] = await sitDown(browser, server.url);
  const watcher = await Person.arrive(browser, server.url);
  await white.type('e2e4');
  await black.reads('e4');
  await watcher.page.goto('/watch');
  await watcher.page.getByRole('link', { name: /Watch this game/ }).click();
  await watcher.sits();
  await watcher.reads('e4');
  await white.sees('1 watching');
  await black.type('e7e5');
  await watcher.reads('e4', 'e5');
  expect(await watcher.page.getByRole('button', { name: 'Resign' }).count()).toBe(0);
  expect(await watcher.page.getByLabel('Type a move').count()).toBe(0);
  for (const person of [white, black, watcher]) {
    person.behaves();
    await person.leave();
  }
});

test('the front page shows running games as they go', async () => {
  const watcher = await Person.arrive(browser, server.url);
  await watcher.page.goto('/');
  const cards = watcher.page.getByRole('link', { name: /Watch this game/ });
  await watcher.page.getByText('Looking for games').waitFor({ state: 'hidden' });
  const before = await cards.count();
  const [white, black] = await sitDown(browser, server.url);
  await expect.poll(() => cards.count(), { timeout: 15_000 }).toBe(before + 1);
  await white.type('a2a4');
  await expect.poll(() => cards.first().locator('i').count(), { timeout: 15_000 }).toBe(2);
  for (const person of [white, black, watcher]) {
    person.behaves();
    await person.leave();
  }
});

test('the set-up link names the club and makes its administrator, once', async () => {
  const owner = await Person.arrive(browser, server.url);
  expect(server.setupLink).not.toBeNull();
  const { pathname, search } = new URL(server.setupLink ?? '');
  await owner.page.goto(pathname + search);
  await fillSetup(owner, 'Tower Chess Club');
  await owner.presses('Open the club');
  await owner.sees('Tower Chess Club is open');
  await owner.page.getByRole('link', { name: 'To the front page' }).click();
  await owner.page.getByRole('banner').getByText('Tower Chess Club').waitFor();
  // The menu closes by itself when the page that was just opened comes up.
  await expect
    .poll(
      async () => {
        const link = owner.page.getByRole('link', { name: 'Administration' });
        if (!(await link.isVisible())) await owner.page.getByRole('button', { name: 'Menu of Caretaker' }).click();
        return link.isVisible();
      },
      { timeout: 15_000 },
    )
    .toBe(true);
  owner.behaves();
  await owner.page.goto(pathname + search);
  await fillSetup(owner, 'Somebody Else');
  await owner.presses('Open the club');
  await owner.sees(/This set-up link is not valid/);
  await owner.leave();
});

test('an unknown address shows the way out', async () => {
  const guest = await Person.arrive(browser, server.url);
  await guest.page.goto('/zzzzzzzz');
  await guest.sees('There is no game here');
  await guest.page.getByRole('link', { name: 'To the front page' }).click();
  await guest.sees('Quick game');
  guest.behaves();
  await guest.leave();
});
