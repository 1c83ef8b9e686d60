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
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      return element?.getAttribute('aria-label') ?? (label ?? element)?.textContent?.trim() ?? '';
    });
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to "${name}"`);
}

/** Types moves where the focus is, each once the one before stands on both sheets. */
async function typeAll(players: [Person, Person], typed: string[], moves: string[]): Promise<void> {
  for (const [i, move] of typed.entries()) {
    const mover = players[i % 2 === 0 ? 0 : 1].page;
    await mover.keyboard.type(move);
    await mover.keyboard.press('Enter');
    await Promise.all(players.map((player) => player.reads(...moves.slice(0, i + 1))));
  }
}

test('a game can be started, played to mate and played again without a mouse', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  await white.page.goto('/');
  await white.page.getByRole('tab', { name: 'Quick game' }).waitFor();
  await tabTo(white.page, 'Quick game');
  await white.page.keyboard.press('ArrowRight');
  await tabTo(white.page, 'Random');
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

  for (const { page } of [white, black]) await tabTo(page, 'Type a move');
  await typeAll([white, black], ['f3', 'e7e5', 'g4', 'Qh4'], ['f3', 'e5', 'g4', 'Qh4#']);
  await white.sees('You lost');
  await black.sees('You won');

  const before = black.page.url();
  await tabTo(white.page, 'Rematch');
  await white.page.keyboard.press('Enter');
  await black.sees('Your opponent would like a rematch');
  await tabTo(black.page, 'Accept rematch');
  await black.page.keyboard.press('Enter');
  await Promise.all([white, black].map(({ page }) => page.waitForURL((url) => url.href !== before)));
  await Promise.all([white.sits(), black.sits()]);
  await tabTo(black.page, 'Type a move');
  await black.page.keyboard.type('d4');
  await black.page.keyboard.press('Enter');
  await white.reads('d4');
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
