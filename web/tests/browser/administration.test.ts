import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLoggedIn, logIn, logOut, QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let chief: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  chief = await Person.arrive(browser, server.url);
  await setUp(chief, server);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

const REFUSED = /status of 4\d\d/;

test('an administrator grants a role, and its owner gets the pages that belong to it', async () => {
  const helper = await Person.arrive(browser, server.url);
  await signUp(helper, 'Helping_Hand');
  await helper.page.goto('/admin/users');
  await helper.sees('This page is for those who run the club');

  await chief.page.goto('/admin/users');
  await chief.page.getByLabel('Name or e-mail').fill('helping');
  await chief.page.getByRole('button', { name: 'Helping_Hand' }).click();
  await chief.page.getByRole('switch', { name: 'Director' }).check();
  await chief.page.locator('td').getByText('Director').waitFor();
  await chief.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await helper.page.goto('/admin/cards');
  await helper.page.getByLabel('Names').waitFor();
  expect(await helper.page.getByRole('link', { name: 'Policy' }).count()).toBe(0);

  await chief.page.goto('/admin/audit');
  await chief.page.getByRole('row', { name: /Role granted Helping_Hand/ }).waitFor();
  helper.behaves(REFUSED);
  chief.behaves(REFUSED);
  await helper.leave();
});

test('the last administrator cannot give the role away', async () => {
  await chief.page.goto('/admin/users');
  await chief.page.getByRole('button', { name: 'Caretaker', exact: true }).click();
  await chief.page.getByRole('switch', { name: 'Administrator' }).uncheck();
  await chief.sees(/last administrator/);
  await expect.poll(() => chief.page.getByRole('switch', { name: 'Administrator' }).isChecked()).toBe(true);
  await chief.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
});

test('a class gets cards; the QR code on one of them logs in, and a password of one’s own is chosen', async () => {
  await chief.page.goto('/admin/cards');
  await chief.page.getByLabel('Names').fill('White Rook\n\nBlack Knight\nLight Bishop\n');
  await chief.page.getByLabel('Class or group').fill('5b');
  const [answer] = await Promise.all([
    chief.page.waitForResponse('**/api/v1/admin/users/bulk'),
    chief.presses('Make 3 accounts'),
  ]);
  const { cards } = (await answer.json()) as { cards: Array<{ login_url: string; user_name: string }> };
  await chief.sees('3 accounts made');
  expect(await chief.page.getByRole('list', { name: 'Cards' }).getByRole('img').count()).toBe(3);

  const [rook, knight] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  const { pathname, hash } = new URL(cards[0]?.login_url ?? '');
  await rook.page.goto(pathname + hash);
  await rook.presses('Log in');
  await rook.sees('Choose your own password');
  await rook.page.getByLabel('New password').fill('pawns walk straight ahead');
  await rook.presses('Change the password');
  await rook.sees('Your password is changed.');
  await isLoggedIn(rook, cards[0]?.user_name ?? '');
  await logOut(rook, cards[0]?.user_name ?? '');
  await logIn(rook, cards[0]?.user_name ?? '', 'pawns walk straight ahead');

  // The card was good once.
  await knight.page.goto(pathname + hash);
  await knight.presses('Log in');
  await knight.sees(/link is not valid/);

  await chief.page.goto('/admin/users');
  await chief.page.getByLabel('Name or e-mail').fill('5b');
  await expect.poll(() => chief.page.locator('tbody tr').count()).toBe(3);
  for (const person of [rook, knight]) {
    person.behaves(REFUSED);
    await person.leave();
  }
});

test('only the cards are printed', async () => {
  await chief.page.goto('/admin/cards');
  await chief.page.getByLabel('Names').fill('White Queen\nBlack King');
  await chief.presses('Make 2 accounts');
  await chief.sees('2 accounts made');
  await chief.page.emulateMedia({ media: 'print' });
  expect(await chief.page.getByText('White Queen').isVisible()).toBe(true);
  expect(await chief.page.getByRole('banner').isVisible()).toBe(false);
  expect(await chief.page.getByText('2 accounts made').isVisible()).toBe(false);
  await chief.page.emulateMedia({ media: null });
});

test('a teacher helps somebody back in with a reset link', async () => {
  const person = await Person.arrive(browser, server.url);
  await signUp(person, 'Locked_Out');
  await logOut(person, 'Locked_Out');
  await chief.page.goto('/admin/users');
  await chief.page.getByLabel('Name or e-mail').fill('locked');
  await chief.page.getByRole('button', { name: 'Locked_Out' }).click();
  await chief.presses('Reset link');
  const link = await chief.page.getByRole('textbox', { name: 'Reset link' }).inputValue();
  const { pathname, hash } = new URL(link);
  await person.page.goto(pathname + hash);
  await person.page.getByLabel('New password').fill('castles in the afternoon');
  await person.presses('Set the password');
  await person.sees('Your password is changed');
  await logIn(person, 'Locked_Out', 'castles in the afternoon');
  person.behaves(REFUSED);
  await person.leave();
});

test('where sign-up is by invitation, the link opens it', async () => {
  await chief.page.goto('/admin/policy');
  await chief.page.getByLabel('Sign-up').selectOption('invite');
  await chief.presses('Save');
  await chief.sees('The policy is saved.');
  const guest = await Person.arrive(browser, server.url);
  await guest.page.goto('/sign-up');
  await guest.sees(/New members need an invitation/);

  await chief.page.goto('/admin/invites');
  await chief.sees('No open invitations');
  await chief.presses('Make the link');
  const link = await chief.page.getByLabel('Invitation link').inputValue();
  await chief.sees('Can be used 1 more time');
  const { pathname, hash } = new URL(link);
  await guest.leave();
  const invited = await Person.arrive(browser, server.url);
  await signUp(invited, 'Invited', undefined, pathname + hash);
  invited.behaves();
  chief.behaves(REFUSED);
  await invited.leave();
});

test('without a mail server the mail page says what to do', async () => {
  await chief.page.goto('/admin/mail');
  await chief.sees('No mail server is configured');
});

test('what looks like markup in a text is shown as text', async () => {
  const group = '<img src=x onerror=alert(1)>';
  await chief.page.goto('/admin/users');
  await chief.page.getByRole('button', { name: 'Caretaker', exact: true }).click();
  await chief.page.getByLabel('Class or group').fill(group);
  await chief.presses('Save');
  await chief.page.locator('td').getByText(group).waitFor();
  chief.behaves(REFUSED);
});
