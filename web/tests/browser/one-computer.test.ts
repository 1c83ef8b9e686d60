// Two people at one computer: a game of two names, a rated one that the second player confirms by PIN, hidden armies.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

test('two people play at one screen, rated with the PIN of the second', { timeout: 120_000 }, async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const [anna, bert] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  await signUp(anna, 'Anna');
  await signUp(bert, 'Bert');

  await bert.page.goto('/account/security');
  const pin = bert.page.locator('section', { hasText: 'PIN for one computer' });
  await pin.getByLabel('New PIN').fill('2718');
  await pin.getByLabel('Your password').fill(PASSWORD);
  await pin.getByRole('button', { name: 'Set the PIN' }).click();
  await bert.sees('You have a PIN.');

  await anna.page.goto('/');
  await anna.page.getByRole('link', { name: 'Two at this computer' }).click();
  const black = anna.page.getByRole('group', { name: 'Black' });
  await black.getByText('A member').click();
  await black.getByLabel('User name').fill('Bert');
  await black.getByLabel('PIN', { exact: true }).fill('3141');
  await anna.page.getByLabel('Rated game').check();
  await anna.presses('Begin the game');
  await anna.sees('The name or the PIN is wrong');
  await black.getByLabel('PIN', { exact: true }).fill('2718');
  await anna.presses('Begin the game');
  await anna.sits();
  await anna.sees('Played at one computer');
  for (const move of ['f3', 'e5', 'a3']) await anna.type(move);
  await anna.reads('f3', 'e5', 'a3');
  await anna.presses('Take back');
  await anna.presses('We agree');
  await anna.reads('f3', 'e5');
  for (const move of ['g4', 'Qh4']) await anna.type(move);
  await anna.reads('f3', 'e5', 'g4', 'Qh4#');
  await anna.sees('Black wins');
  await bert.page.goto('/ratings');
  const row = bert.page.getByRole('row', { name: /Bert/ });
  await expect.poll(() => row.textContent()).toMatch(/1 \/ 0 \/ 0/);

  const guest = await Person.arrive(browser, server.url);
  await guest.page.goto('/one-computer');
  await guest.page.getByText('GMO chess', { exact: true }).click();
  await guest.page.getByRole('group', { name: 'White' }).getByLabel('Name', { exact: true }).fill('Ola');
  await guest.page.getByRole('group', { name: 'Black' }).getByLabel('Name', { exact: true }).fill('Kari');
  await guest.presses('Begin the game');
  for (const name of ['Ola', 'Kari']) {
    await guest.sees(`${name}, it is your turn to choose`);
    await guest.presses(`I am ${name}`);
    await guest.presses('Hand in');
  }
  await guest.sees('White to move');
  for (const person of [anna, bert, boss, guest]) {
    person.behaves(/status of 401/);
    await person.leave();
  }
});
