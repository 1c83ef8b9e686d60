// The ways into a game: the queue, an offer to everybody.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
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

async function arrive(): Promise<Person> {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/');
  return person;
}

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

test('two guests who want the same clock are paired', async () => {
  const one = await arrive();
  const other = await arrive();
  await one.page.getByRole('button', { name: '3+2' }).click();
  await one.sees('Looking for an opponent: 3+2');
  await one.sees('1 player');
  await other.page.getByRole('button', { name: '3+2' }).click();
  await Promise.all([one.sits(), other.sits()]);
  for (const person of [one, other]) await person.sees('Casual');
  await part(one, other);
});

test('who stops looking is not paired', async () => {
  const one = await arrive();
  const other = await arrive();
  await one.page.getByRole('button', { name: '10+5' }).click();
  await one.presses('Stop looking');
  await one.sees('Quick game');
  await other.page.getByRole('button', { name: '10+5' }).click();
  await other.sees('1 player');
  await part(one, other);
});

test('the search goes on while one looks elsewhere', async () => {
  const one = await arrive();
  const other = await arrive();
  await one.page.getByRole('button', { name: '15+10' }).click();
  await one.sees('1 player');
  await one.page.getByRole('link', { name: 'Watch', exact: true }).click();
  await one.sees('Looking for an opponent: 15+10');
  await other.page.getByRole('button', { name: '15+10' }).click();
  await Promise.all([one.sits(), other.sits()]);
  await part(one, other);
});

test('an offer to everybody can be taken, with stages and delay', async () => {
  const host = await arrive();
  const guest = await arrive();
  await host.page.getByRole('tab', { name: 'Offer a game' }).click();
  await host.page.getByRole('radio', { name: 'Custom' }).check();
  await host.presses('Delay, stages, odds …');
  await host.page.getByLabel('Minutes').fill('20');
  await host.page.getByLabel('Per move').selectOption('Delay');
  await host.page.getByLabel('Seconds').fill('5');
  await host.presses('Offer the game');
  await guest.sees('20d5');
  await guest.page.getByRole('listitem').getByRole('button', { name: 'Play' }).click();
  await Promise.all([host.sits(), guest.sits()]);
  await guest.sees('20d5');
  await part(host, guest);
});

test('an offer can be withdrawn', async () => {
  const host = await arrive();
  const guest = await arrive();
  await host.page.getByRole('tab', { name: 'Offer a game' }).click();
  await host.presses('Offer the game');
  const offer = guest.page.getByRole('listitem').getByRole('button', { name: 'Play' });
  await offer.waitFor();
  await host.presses('Cancel');
  await offer.waitFor({ state: 'detached' });
  await part(host, guest);
});
