// An account at another site is connected: proven, fetched, looked at, disconnected. The site is a small one of ours.
import { createServer, type Server as Site } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let site: Site;
let server: Server;
let browser: Browser;
/** What stands in the profile at the site. */
let bio = '';

const pgn = (number: number): string =>
  `[Event "Rated blitz game"]\n[White "annabel_l"]\n[Black "bert_l"]\n[Round "${number}"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
const game = (number: number): string =>
  JSON.stringify({
    id: `game000${number}`,
    rated: true,
    variant: 'standard',
    createdAt: 1_700_000_000_000 + number * 60_000,
    status: 'mate',
    players: { white: { user: { name: 'annabel_l' } }, black: { user: { name: 'bert_l' } } },
    pgn: pgn(number),
  });

beforeAll(async () => {
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/api/user/annabel_l') {
      response.end(JSON.stringify({ id: 'annabel_l', username: 'annabel_l', profile: { bio }, count: { all: 2 } }));
    } else if (pathname === '/api/games/user/annabel_l') {
      const since = Number(searchParams.get('since') ?? 0);
      response.end(
        [1, 2]
          .filter((n) => 1_700_000_000_000 + n * 60_000 >= since)
          .map((n) => `${game(n)}\n`)
          .join(''),
      );
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  const { port } = site.address() as AddressInfo;
  const settings = `${QUICK}[connections]\nlichess = "http://127.0.0.1:${port}"\nchesscom = ""\n`;
  [server, browser] = await Promise.all([Server.start(settings), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
  site?.close();
});

test('an account is connected, its games come, and it is disconnected', async () => {
  const anna = await Person.arrive(browser, server.url);
  const { page } = anna;
  await signUp(anna, 'Annabel');
  await page.goto('/library/connections');
  await anna.sees('No account is connected yet.');
  await page.getByLabel('Your user name there').fill('annabel_l');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const code = page.locator('code');
  await code.waitFor();
  bio = `I like chess. ${await code.textContent()}`;
  await page.getByRole('button', { name: 'Check now' }).click();
  await anna.sees('Up to date');
  await anna.sees('2 games');
  await page.getByRole('link', { name: 'Show the games' }).click();
  await page.getByRole('heading', { name: '2 games' }).waitFor();
  await page.locator('ol a').first().click();
  const there = page.getByRole('link', { name: 'The game at lichess.org' });
  expect(await there.getAttribute('href')).toBe('https://lichess.org/game0002');

  await page.goto('/library/connections');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Keep the games' }).click();
  await anna.sees('Disconnected, games kept');
  await page.getByRole('button', { name: 'Remove the games' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the games' }).click();
  await anna.sees('No account is connected yet.');
  await page.goto('/library');
  await anna.sees('No games here yet');
  anna.behaves();
  await anna.leave();
});
