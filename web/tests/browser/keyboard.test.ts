import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, Person } from './person';
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

/** Walks by Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to "${name}"`);
}

test('a game can be started and played without a mouse', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  await white.page.goto('/');
  await white.page.getByRole('tab', { name: 'Quick game' }).waitFor();
  await tabTo(white.page, 'Quick game');
  await white.page.keyboard.press('ArrowRight');
  await white.page.getByRole('radio', { name: 'Random' }).focus();
  await white.page.keyboard.press('ArrowLeft');
  expect(await white.page.getByRole('radio', { name: 'White' }).isChecked()).toBe(true);
  await tabTo(white.page, 'Create the game');
  await white.page.keyboard.press('Enter');
  const link = white.page.getByLabel('Link to this game');
  await link.waitFor();

  await black.page.goto(new URL(await link.inputValue()).pathname);
  await black.page.getByRole('button', { name: 'Accept and play' }).waitFor();
  await tabTo(black.page, 'Accept and play');
  await black.page.keyboard.press('Enter');
  await Promise.all([white.sits(), black.sits()]);

  await tabTo(white.page, 'Type a move');
  await white.page.keyboard.type('e2e4');
  await white.page.keyboard.press('Enter');
  await black.reads('e4');
  await tabTo(black.page, 'Type a move');
  await black.page.keyboard.type('g8f6');
  await black.page.keyboard.press('Enter');
  await white.reads('e4', 'Nf6');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('moves and results are said aloud', async () => {
  const host = await Person.arrive(browser, server.url);
  const guest = await Person.arrive(browser, server.url);
  await guest.accept(await host.invite());
  await Promise.all([host.sits(), guest.sits()]);
  const heard = guest.page.locator('[aria-live="assertive"]').first();
  await host.type('g1f3');
  await expect.poll(() => heard.textContent()).toBe('White: Knight f3');
  await guest.type('d7d5');
  await host.reads('Nf3', 'd5');
  await host.presses('Resign');
  await host.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await expect.poll(() => heard.textContent()).toBe('Black: d5. You won. White resigned');
  for (const person of [host, guest]) {
    person.behaves();
    await person.leave();
  }
});
