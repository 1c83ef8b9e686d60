import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage, DARK, PHONE, tooSmall } from './judge';
import { QUICK, setUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let cookies: Awaited<ReturnType<ReturnType<Person['page']['context']>['cookies']>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  const owner = await Person.arrive(browser, server.url);
  await setUp(owner, server);
  cookies = await owner.page.context().cookies();
  await owner.leave();
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

const FOR_ALL = ['/sign-up', '/log-in', '/forgot', '/reset#x', '/activate#x', '/confirm-email#x', '/log-in/card#x'];
const FOR_MEMBERS = ['', '/preferences', '/security', '/sessions', '/tokens', '/data'].map((path) => `/account${path}`);
const FOR_ADMINISTRATORS = ['users', 'cards', 'invites', 'policy', 'audit', 'mail'].map((path) => `/admin/${path}`);

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE, dark: DARK })) {
  test(`every page of accounts is accessible and fits: ${name}`, async () => {
    const guest = await Person.arrive(browser, server.url, options);
    const owner = await Person.arrive(browser, server.url, options);
    await owner.page.context().addCookies(cookies);
    const visits = [
      ...FOR_ALL.map((path) => [guest, path] as const),
      ...[...FOR_MEMBERS, ...FOR_ADMINISTRATORS].map((path) => [owner, path] as const),
    ];
    for (const [{ page }, path] of visits) {
      await page.goto(path);
      await page.locator('main .card').first().waitFor();
      await page.waitForLoadState('networkidle');
      // At night the same page has other colours, and nothing else.
      await checkPage(page, ...(options === DARK ? ['color-contrast'] : []));
      if (options === PHONE) expect(await tooSmall(page), path).toEqual([]);
    }
    for (const person of [guest, owner]) {
      person.behaves();
      await person.leave();
    }
  });
}

test('the menu opens and closes by keyboard', async () => {
  const owner = await Person.arrive(browser, server.url);
  const { page } = owner;
  await page.context().addCookies(cookies);
  await page.goto('/');
  const menu = page.getByRole('button', { name: 'Menu of Caretaker' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('My account');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('link', { name: 'My account' }).isVisible()).toBe(false);
  expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
  await owner.leave();
});
