import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, Person, sitDown } from './person';
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

/** While the server is away the browser itself complains about lines that cannot be opened. */
const LINE_IS_DOWN = /WebSocket connection|ERR_CONNECTION/;

test('after a power cut the game goes on in both browsers by itself', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.click('e2e4', 'white');
  await black.reads('e4');
  await server.kill();
  await Promise.all([white, black].map((person) => person.sees(/Connection lost/)));
  await server.run();
  await Promise.all([white, black].map(({ page }) => page.getByText(/Connection lost/).waitFor({ state: 'hidden' })));
  await black.click('e7e5', 'black');
  await white.reads('e4', 'e5');
  await white.click('g1f3', 'white');
  await black.reads('e4', 'e5', 'Nf3');
  for (const person of [white, black]) {
    person.behaves(LINE_IS_DOWN);
    await person.leave();
  }
});

test('a move made while the server is away is played when it is back', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await server.kill();
  await white.sees(/Connection lost/);
  await white.click('d2d4', 'white');
  await server.run();
  await black.reads('d4');
  await white.reads('d4');
  for (const person of [white, black]) {
    person.behaves(LINE_IS_DOWN);
    await person.leave();
  }
});

test('an invitation outlives the server', async () => {
  const host = await Person.arrive(browser, server.url);
  const guest = await Person.arrive(browser, server.url);
  const link = await host.invite();
  await server.kill();
  await server.run();
  await guest.accept(link);
  await Promise.all([host.sits(), guest.sits()]);
  expect(host.page.url()).toBe(guest.page.url());
  for (const person of [host, guest]) {
    person.behaves(LINE_IS_DOWN);
    await person.leave();
  }
});
