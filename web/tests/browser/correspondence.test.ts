// A game over days, from the invitation to the arbiter's word and the list of ratings.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, setUp, signUp } from './member';
import { openBrowser, Person, sitDownWith } from './person';
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

/** Invites a member by name to a rated game of three days a move. */
async function inviteByName({ page }: Person, name: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Play a friend' }).click();
  await page.getByRole('radio', { name: /Days/ }).check();
  await page.getByRole('radio', { name: 'White' }).check();
  await page.getByLabel("Your friend's name").fill(name);
  await page.getByLabel('A word to them').fill('A slow one?');
  await page.getByLabel('Rated game').check();
  await page.getByRole('button', { name: 'Send the challenge' }).click();
}

test('a game over days is invited to, planned, resigned, corrected and listed', { timeout: 120_000 }, async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const [anna, bert] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  await signUp(anna, 'Anna');
  await signUp(bert, 'Bert');
  await inviteByName(anna, 'Bert');

  // The badge is on every page, and comes without a reload.
  await bert.page.getByRole('link', { name: 'My games: 1 thing waits for you' }).waitFor();
  await bert.page.goto('/inbox');
  await bert.sees('Anna invites you');
  await bert.sees('A slow one?');
  await bert.page.getByRole('main').getByRole('button', { name: 'Accept' }).click();
  await bert.sits();
  const id = new URL(bert.page.url()).pathname.slice(1);

  await anna.page.goto('/my-games');
  await anna.sees('Your move in 1 game');
  await anna.page.getByRole('link', { name: 'Next game' }).click();
  await anna.sits();
  await anna.type('e2e4');
  await anna.presses('Play it');
  await anna.reads('e4');
  await anna.page.getByRole('tab', { name: 'Desk' }).click();
  await anna.page.getByLabel('Private notes').fill('Watch the f-file');
  await anna.sees('Kept');
  await anna.presses('Add a line');
  const dialog = anna.page.getByRole('dialog');
  for (const move of ['e5', 'Nf3']) await anna.type(move, dialog);
  await dialog.getByText('e5 Nf3').waitFor();
  await dialog.getByRole('button', { name: 'Keep this line' }).click();
  await anna.sees('e5 Nf3');

  await bert.type('e7e5');
  await bert.presses('Play it');
  await bert.reads('e4', 'e5', 'Nf3');
  await bert.presses('Resign');
  await bert.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await bert.sees('You lost');
  await bert.page.keyboard.press('Escape');
  await bert.presses('Call an arbiter');
  await bert.page.getByLabel('What happened?').fill('We had agreed on a draw.');
  await bert.presses('Call');
  await bert.sees('An arbiter was called.');

  await boss.page.goto('/arbiter');
  await boss.sees('We had agreed on a draw.');
  await boss.page.getByLabel('Which game?').fill(`${server.url}/${id}`);
  await boss.presses('Open');
  await boss.sees('Call by Bert');
  await boss.page.getByLabel('A note for other arbiters').fill('Anna says the same.');
  await boss.presses('Keep the note');
  await boss.sees('Note by Caretaker');
  await boss.page.getByLabel('Result', { exact: true }).selectOption('draw');
  await boss.page.getByLabel('Reason', { exact: true }).fill('Both say that a draw was agreed before.');
  await boss.page.getByRole('main').getByRole('button', { name: 'Decide', exact: true }).click();
  await boss.sees('½–½');
  await boss.sees('seen to');

  await bert.page.goto('/inbox');
  await bert.sees('Both say that a draw was agreed before.');
  await bert.presses('Put away');
  await bert.sees('Nothing waits for you');

  await anna.page.goto('/ratings');
  const row = anna.page.getByRole('row', { name: /Bert/ });
  await expect.poll(() => row.textContent()).toMatch(/1500\??.*0 \/ 1 \/ 0/);
  await row.getByRole('link', { name: 'Bert' }).click();
  await anna.page.getByRole('heading', { name: 'Bert' }).first().waitFor();

  // One that is declined is told to its sender, one that is withdrawn is gone.
  await inviteByName(anna, 'Bert');
  await bert.sees('Anna invites you');
  await bert.page.getByRole('main').getByRole('button', { name: 'Decline' }).click();
  await bert.sees('Nothing waits for you');
  await anna.page.goto('/inbox');
  await anna.sees('Bert declined');
  await inviteByName(anna, 'Bert');
  await bert.sees('Anna invites you');
  await anna.page.goto('/inbox');
  await anna.presses('Withdraw');
  await bert.sees('Nothing waits for you');

  // This club has no mail server: the page says so and offers the rest.
  await anna.page.goto('/account/preferences');
  await anna.sees('This club has no mail server, so no mails can come.');
  expect(await anna.page.getByLabel('Your move, by mail').isDisabled()).toBe(true);
  await anna.sees('Browsers that tell you');
  for (const person of [anna, bert, boss]) {
    person.behaves();
    await person.leave();
  }
});

test('the desk has the clocks of every moment, and follows a game that goes on', async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const [white, black] = await sitDownWith(browser, server.url, {
    kind: 'fischer',
    initial_ms: 600_000,
    increment_ms: 60_000,
  });
  const { pathname } = new URL(white.page.url());
  await white.type('e2e4');
  await black.reads('e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  await boss.page.goto(`/arbiter${pathname}`);
  await boss.reads('e4', 'e5');
  await white.type('g1f3');
  await boss.reads('e4', 'e5', 'Nf3');
  await boss.page.locator('time.running').waitFor();
  const clocks = (): Promise<string[]> => boss.page.getByRole('timer').allTextContents();
  await boss.page.keyboard.press('Home');
  await expect.poll(clocks).toEqual(['10:00', '10:00']);
  await black.type('b8c6');
  await boss.reads('e4', 'e5', 'Nf3', 'Nc6');
  expect(await clocks(), 'who looks at the beginning stays there').toEqual(['10:00', '10:00']);
  for (const person of [white, black, boss]) {
    person.behaves();
    await person.leave();
  }
});
