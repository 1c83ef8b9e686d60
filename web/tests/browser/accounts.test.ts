import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNobody, logIn, logOut, PASSWORD, QUICK, signUp, tryLogIn } from './member';
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

/** Refusals that the test has asked for; the browser lists them on its console. */
const REFUSED = /status of 4\d\d/;

test('a guest who signs up keeps the games', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.type('e2e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  await black.presses('Resign');
  await black.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await white.sees('You won');
  await signUp(white, 'Former_Guest');
  await white.page.goto('/account');
  const game = white.page.getByRole('region', { name: 'Your last game' });
  await game.getByText('You won').waitFor();
  expect(await game.locator('piece').count()).toBe(32);
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('the session list shows both browsers and logs the other one out', async () => {
  const home = await Person.arrive(browser, server.url);
  const school = await Person.arrive(browser, server.url);
  await signUp(home, 'At_Two_Places');
  await logIn(school, 'At_Two_Places');
  await home.page.goto('/account/sessions');
  const sessions = home.page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => sessions.count()).toBe(2);
  await sessions.getByText('this one').waitFor();
  await sessions.getByRole('button', { name: /Log out/ }).click();
  await expect.poll(() => sessions.count()).toBe(1);
  // The other browser learns it by itself.
  await isNobody(school);
  await school.page.goto('/account');
  await school.sees('Log in to see this page');
  for (const person of [home, school]) {
    person.behaves(REFUSED);
    await person.leave();
  }
});

test('a new password ends the old one', async () => {
  const person = await Person.arrive(browser, server.url);
  const { page } = person;
  await signUp(person, 'New_Word');
  await page.goto('/account/security');
  await page.getByLabel('Old password').fill('not mine');
  await page.getByLabel('New password').fill('five bishops are a dream');
  await person.presses('Change the password');
  await person.sees('This is not your password.');
  await page.getByLabel('Old password').fill(PASSWORD);
  await person.presses('Change the password');
  await person.sees('Your password is changed.');
  await logOut(person, 'New_Word');
  await tryLogIn(person, 'New_Word');
  await person.sees('The name or the password is wrong.');
  await logIn(person, 'New_Word', 'five bishops are a dream');
  person.behaves(REFUSED);
  await person.leave();
});

test('preferences follow their owner to another browser', async () => {
  const home = await Person.arrive(browser, server.url);
  const school = await Person.arrive(browser, server.url);
  await signUp(home, 'Blue_Board');
  await home.page.goto('/account/preferences');
  await home.page.getByRole('radio', { name: 'Blue' }).check();
  await home.page.getByLabel('Notation').selectOption('de');
  await home.sees('Saved.');
  await logIn(school, 'Blue_Board');
  await expect.poll(() => school.page.evaluate(() => document.documentElement.dataset.board)).toBe('blue');
  const [white, black] = await sitDown(browser, server.url);
  await white.type('g1f3');
  await black.reads('Nf3');
  const { pathname } = new URL(white.page.url());
  await school.page.goto(pathname);
  await school.reads('Sf3');
  // Small boards are turned as the big ones are.
  const wish = { data: { board_side: 'black' } };
  expect((await school.page.request.put('/api/v1/account/preferences', wish)).ok()).toBe(true);
  await school.page.goto('/watch');
  const king = school.page.locator(`a[href="${pathname}"] .mini-board piece.white.king`).first();
  await king.waitFor();
  expect(await king.getAttribute('data-row')).toBe('0');
  for (const person of [home, school, white, black]) await person.leave();
});

test('an API token is shown once and opens the API', async () => {
  const person = await Person.arrive(browser, server.url);
  await signUp(person, 'Bot_Owner');
  await person.page.goto('/account/tokens');
  await person.sees('No tokens');
  await person.presses('New token');
  await person.page.getByLabel('Name', { exact: true }).fill('my script');
  await person.presses('Make the token');
  const token = await person.page.getByRole('textbox', { name: 'API token' }).inputValue();
  expect(token).toMatch(/^rook_/);
  const answer = await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await answer.json()).toMatchObject({ account: { name: 'Bot_Owner' } });
  await person.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await person.page.getByRole('button', { name: 'Revoke my script' }).click();
  await person.sees('No tokens');
  person.behaves();
  await person.leave();
});

test('everything about me can be downloaded, and the account deleted with proof', async () => {
  const person = await Person.arrive(browser, server.url);
  const { page } = person;
  await signUp(person, 'Going_Away');
  await page.goto('/account/data');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByText('Everything (JSON)').click()]);
  expect(file.suggestedFilename()).toMatch(/\.json$/);
  await person.presses('Delete my account …');
  await page.getByLabel('Your password').fill('not mine');
  await person.presses('Delete it for good');
  await person.sees('This is not your password.');
  await page.getByLabel('Your password').fill(PASSWORD);
  await person.presses('Delete it for good');
  await isNobody(person);
  await tryLogIn(person, 'Going_Away');
  await person.sees('The name or the password is wrong.');
  person.behaves(REFUSED);
  await person.leave();
});
