// What one can do at a table besides playing: look from two tabs, turn the board, claim, and say no to a rematch.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, signUp } from './member';
import { openBrowser, Person, sitDown } from './person';
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

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

test('one game in two tabs is one game, and who closes one of them is still there', async () => {
  const [white, black] = await sitDown(browser, server.url);
  const second = await white.page.context().newPage();
  await second.goto(white.page.url());
  await second.getByLabel('Type a move').fill('e4');
  await second.getByLabel('Type a move').press('Enter');
  await Promise.all([white.reads('e4'), black.reads('e4')]);
  await black.type('e5');
  const sheet = second.locator('section[aria-label="Moves"] button');
  await expect.poll(() => sheet.allTextContents()).toEqual(['e4', 'e5']);
  await second.close();
  await white.type('Nf3');
  await black.reads('e4', 'e5', 'Nf3');
  await expect.poll(() => black.page.locator('.dot.present').count()).toBe(2);
  await white.leave();
  await expect.poll(() => black.page.locator('.dot.present').count()).toBe(1);
  await part(black);
});

test('the board can be turned by a button and by a key', async () => {
  const [white, black] = await sitDown(browser, server.url);
  const board = white.page.locator('.cg-wrap.manipulable');
  const isTurned = () => board.evaluate((element) => element.classList.contains('orientation-black'));
  expect(await isTurned()).toBe(false);
  await white.presses('Flip the board');
  await expect.poll(isTurned).toBe(true);
  await white.click('e2e4', 'black');
  await black.reads('e4');
  await white.page.locator('body').click({ position: { x: 5, y: 300 } });
  await white.page.keyboard.press('f');
  await expect.poll(isTurned).toBe(false);
  await part(white, black);
});

test('who likes it that way has a queen without being asked', async () => {
  const white = await Person.arrive(browser, server.url);
  await signUp(white, 'Regina');
  const wish = { data: { auto_queen: true } };
  expect((await white.page.request.put('/api/v1/account/preferences', wish)).ok()).toBe(true);
  const black = await Person.arrive(browser, server.url);
  await black.accept(await white.invite());
  await Promise.all([white.sits(), black.sits()]);
  const typed = ['b2b4', 'c7c5', 'b4c5', 'b7b6', 'c5b6', 'b8c6', 'b6a7', 'c6b8'];
  const moves = ['b4', 'c5', 'bxc5', 'b6', 'cxb6', 'Nc6', 'bxa7', 'Nb8'];
  for (const [i, move] of typed.entries()) {
    await (i % 2 === 0 ? white : black).type(move);
    await Promise.all([white, black].map((person) => person.reads(...moves.slice(0, i + 1))));
  }
  await white.click('a7b8', 'white');
  await black.reads(...moves, 'axb8Q');
  await part(white, black);
});

test('where draws must be claimed, the move is named that makes one', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  await white.page.goto('/');
  await white.page.getByRole('tab', { name: 'Play a friend' }).click();
  await white.page.getByLabel('Draws must be claimed, as over the board (FIDE)').check();
  await white.page.getByRole('radio', { name: 'White' }).check();
  await white.presses('Create the game');
  const link = white.page.getByLabel('Link to this game');
  await link.waitFor();
  await black.page.goto(new URL(await link.inputValue()).pathname);
  await black.sees('Draws are claimed');
  await black.presses('Accept and play');
  await Promise.all([white.sits(), black.sits()]);
  await white.sees(/^First move within/);
  const moves = ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1'];
  for (const [i, move] of moves.entries()) {
    await (i % 2 === 0 ? white : black).type(move);
    await Promise.all([white, black].map((person) => person.reads(...moves.slice(0, i + 1))));
  }
  await black.page.getByLabel('Type a move').fill('Ng8');
  await black.presses('Claim a draw');
  for (const person of [white, black]) await person.sees('The same position came up three times');
  await white.reads(...moves);
  await part(white, black);
});

test('a rematch can be taken back and declined', async () => {
  const [white, black] = await sitDown(browser, server.url);
  for (const [i, move] of ['e4', 'e5'].entries()) {
    await (i === 0 ? white : black).type(move);
    await Promise.all([white, black].map((person) => person.reads(...['e4', 'e5'].slice(0, i + 1))));
  }
  await white.presses('Resign');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await black.sees('You won');
  await black.presses('Rematch');
  await white.sees('Your opponent would like a rematch');
  await black.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Rematch offered/ })
    .click();
  await white.page.getByText('Your opponent would like a rematch').waitFor({ state: 'hidden' });
  await black.presses('Rematch');
  await white.sees('Your opponent would like a rematch');
  await white.presses('Decline');
  await black.sees('Rematch declined');
  await part(white, black);
});
