import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillSignUp, isLoggedIn, logIn, logOut, PASSWORD, signUp, tryLogIn, turnOnTotp } from './member';
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

/** Refusals that the test has asked for; the browser lists them on its console. */
const REFUSED = /status of 4\d\d/;

test('every field of a sign-up says at once what is wrong with it, and the cursor goes to the first bad one', async () => {
  const first = await Person.arrive(browser, server.url);
  await signUp(first, 'Taken_Name');
  await first.leave();

  const person = await Person.arrive(browser, server.url);
  const { page } = person;
  await page.goto('/sign-up');
  await page.getByLabel('User name').fill('ab');
  await person.sees('A user name has at least 4 characters.');
  await page.getByLabel('User name').fill('taken_NAME');
  await person.sees('This name is taken.');
  await page.getByLabel('E-mail').fill('not an address');
  await person.sees('This is no e-mail address.');
  await page.getByLabel('Password', { exact: true }).fill('password');
  await person.sees(/Many people use this password/);

  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username');
  expect(await page.locator('[aria-invalid="true"]').count()).toBe(3);

  await page.getByLabel('User name').fill('Free_Name');
  await person.sees('This name is free.');
  await page.getByLabel('E-mail').fill('');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await person.sees('This password is fine.');
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await isLoggedIn(person, 'Free_Name');
  person.behaves(REFUSED);
  await person.leave();
});

test('a wrong password is refused in words that do not tell whether there is such an account', async () => {
  const person = await Person.arrive(browser, server.url);
  await signUp(person, 'Wrong_Word');
  await logOut(person, 'Wrong_Word');
  for (const name of ['Wrong_Word', 'Nobody_Here']) {
    await tryLogIn(person, name, 'not the password');
    await person.page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
  }
  await tryLogIn(person, 'wrong_word');
  await isLoggedIn(person, 'Wrong_Word');
  person.behaves(REFUSED);
  await person.leave();
});

test('after some failures the browser shows some work by itself', async () => {
  const person = await Person.arrive(browser, server.url);
  await signUp(person, 'Forgetful');
  await logOut(person, 'Forgetful');
  for (let i = 0; i < 4; i++) {
    await tryLogIn(person, 'Forgetful', `guess ${i}`);
    await person.page.getByRole('alert').getByText('The name or the password is wrong.').waitFor();
  }
  await logIn(person, 'Forgetful');
  person.behaves(REFUSED);
  await person.leave();
});

test('sign-up with a second factor: code, recovery code, and each of them once', async () => {
  const person = await Person.arrive(browser, server.url);
  const { page } = person;
  await fillSignUp(person, 'Two_Locks');
  await page.getByRole('switch', { name: 'Second factor' }).check();
  await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  const { app, codes } = await turnOnTotp(person);
  expect(new Set(codes).size).toBe(16);
  await person.presses('I have kept them');
  await logOut(person, 'Two_Locks');

  await tryLogIn(person, 'Two_Locks');
  await page.getByLabel('Code').fill('000000');
  await person.presses('Log in');
  await person.sees(/This code is wrong/);
  await page.getByLabel('Code').fill(await app.code());
  await person.presses('Log in');
  await isLoggedIn(person, 'Two_Locks');
  await logOut(person, 'Two_Locks');

  const [code = ''] = codes;
  await tryLogIn(person, 'Two_Locks');
  await page.getByLabel('Code').fill(code);
  await person.presses('Log in');
  await isLoggedIn(person, 'Two_Locks');
  await page.goto('/account/security');
  await person.sees('15 recovery codes left');
  await logOut(person, 'Two_Locks');

  await tryLogIn(person, 'Two_Locks');
  await page.getByLabel('Code').fill(code);
  await person.presses('Log in');
  await person.sees(/This code is wrong/);
  person.behaves(REFUSED);
  await person.leave();
});
