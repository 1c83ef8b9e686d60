import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { Mailbox } from './mailbox';
import { fillSignUp, isLoggedIn, isNobody, logIn, logOut, PASSWORD, QUICK, tryLogIn, turnOnTotp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let mailbox: Mailbox;
let server: Server;
let browser: Browser;

beforeAll(async () => {
  mailbox = await Mailbox.open();
  const policy = QUICK.replace('[accounts]', '[accounts]\nemail = "required"\nactivation = "required"');
  [server, browser] = await Promise.all([Server.start(policy + mailbox.settings), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
  mailbox?.close();
});

const REFUSED = /status of 4\d\d/;
const OTHER_PASSWORD = 'a knight on the rim is dim';

/** Signs up and uses the link in the mail. */
async function join(person: Person, name: string, email: string): Promise<void> {
  await fillSignUp(person, name, email);
  await person.page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await person.sees('Look into your mail');
  await person.page.goto(await mailbox.linkTo(email));
  await person.presses('Open my account');
  await person.sees('Your account is open');
}

test('nobody logs in before the activation; the link in the mail opens the account', async () => {
  const person = await Person.arrive(browser, server.url);
  await fillSignUp(person, 'Newcomer', 'newcomer@example.org');
  await person.page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
  await person.sees('Look into your mail');
  const lost = await mailbox.linkTo('newcomer@example.org');
  await tryLogIn(person, 'Newcomer');
  await person.sees(/waits for its activation/);
  await person.presses('Send the message again');
  await person.sees(/a new message is on its way/);
  await person.page.goto(await mailbox.linkTo('newcomer@example.org'));
  await person.presses('Open my account');
  await person.sees('Your account is open');
  await logIn(person, 'Newcomer');
  await logOut(person, 'Newcomer');
  await person.page.goto(lost);
  await person.presses('Open my account');
  await person.sees(/link is not valid/);
  person.behaves(REFUSED);
  await person.leave();
});

test('a forgotten password is reset by mail, once, and ends all sessions', async () => {
  const person = await Person.arrive(browser, server.url);
  const elsewhere = await Person.arrive(browser, server.url);
  await join(person, 'Forgetful', 'forgetful@example.org');
  await logIn(elsewhere, 'Forgetful');
  await person.page.goto('/forgot');
  await person.page.getByLabel('User name or e-mail').fill('forgetful@example.org');
  await person.presses('Send me a link');
  await person.sees(/a message is on its way/);
  const link = await mailbox.linkTo('forgetful@example.org');
  await person.page.goto(link);
  await person.page.getByLabel('New password').fill(OTHER_PASSWORD);
  await person.presses('Set the password');
  await person.sees('Your password is changed');
  await elsewhere.page.goto('/');
  await isNobody(elsewhere);
  await logIn(person, 'Forgetful', OTHER_PASSWORD);
  await logOut(person, 'Forgetful');
  await person.page.goto(link);
  await person.page.getByLabel('New password').fill(PASSWORD);
  await person.presses('Set the password');
  await person.sees(/link is not valid/);
  for (const each of [person, elsewhere]) {
    each.behaves(REFUSED);
    await each.leave();
  }
});

test('the mail alone does not get past a second factor', async () => {
  const person = await Person.arrive(browser, server.url);
  await join(person, 'Two_Locks', 'locks@example.org');
  await logIn(person, 'Two_Locks');
  await person.page.goto('/account/security');
  await person.presses('Turn on the second factor');
  await person.page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD);
  await person.presses('Go on');
  const { app } = await turnOnTotp(person);
  await person.presses('I have kept them');
  await logOut(person, 'Two_Locks');
  await mailbox.readAll();
  await person.page.goto('/forgot');
  await person.page.getByLabel('User name or e-mail').fill('Two_Locks');
  await person.presses('Send me a link');
  await person.page.goto(await mailbox.linkTo('locks@example.org'));
  await person.page.getByLabel('New password').fill(OTHER_PASSWORD);
  await person.presses('Set the password');
  await person.page.getByLabel('Code').fill(await app.code());
  await person.presses('Set the password');
  await person.sees('Your password is changed');
  person.behaves(REFUSED);
  await person.leave();
});

test('a new e-mail address counts when its own link was opened', async () => {
  const person = await Person.arrive(browser, server.url);
  await join(person, 'Moving', 'old@example.org');
  await logIn(person, 'Moving');
  await person.page.goto('/account');
  await person.presses('Change');
  await person.page.getByLabel('New e-mail address').fill('new@example.org');
  await person.page.getByLabel('Your password').fill(PASSWORD);
  await person.presses('Change it');
  await person.sees(/Waiting for you to open the link sent to new@example.org/);
  await person.page.goto(await mailbox.linkTo('new@example.org'));
  await person.presses('Confirm the address');
  await person.sees('Your address is confirmed');
  await person.page.goto('/account');
  await person.sees('new@example.org');
  await logOut(person, 'Moving');
  await tryLogIn(person, 'new@example.org');
  await isLoggedIn(person, 'Moving');
  person.behaves(REFUSED);
  await person.leave();
});
