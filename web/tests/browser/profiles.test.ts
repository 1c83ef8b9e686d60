// A player's page: strength, chart, history with its filters and pages, head-to-head; and the lists of the best.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage, PHONE } from './judge';
import { QUICK, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let anna: Person;
let berta: Person;

/** Nobody has to play for weeks to be on a list. */
const SETTINGS = `${QUICK}
[ratings.default]
system = { kind = "glicko2", ranked_to = 500.0 }
`;

/** A page that still shows the last game gets no report of it while the next one, rated, stands at the same moves. */
const FAIR_PLAY = /403 .*\/report\)/;

const BLITZ = { kind: 'fischer', initial_ms: 300_000, increment_ms: 0 };
const RAPID = { kind: 'fischer', initial_ms: 900_000, increment_ms: 0 };

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(SETTINGS), openBrowser()]);
  anna = await Person.arrive(browser, server.url);
  berta = await Person.arrive(browser, server.url);
  await signUp(anna, 'anna');
  await signUp(berta, 'berta');
  // Eleven rated games of blitz, of which Anna wins the first eight; then a casual one.
  for (let n = 0; n < 12; n++) await playOne(n);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

async function post<T>({ page }: Person, path: string, data: object = {}): Promise<T> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as T;
}

/** A short game; the colours change, and from the ninth on Anna resigns. */
async function playOne(n: number): Promise<void> {
  const [white, black] = n % 2 === 0 ? [anna, berta] : [berta, anna];
  const terms = { time: n === 11 ? RAPID : BLITZ, color: 'white', rated: n !== 11 };
  const { id } = await post<{ id: string }>(white, '/api/v1/challenges', terms);
  await post(black, `/api/v1/challenges/${id}/acceptance`);
  await post(white, `/api/v1/games/${id}/moves`, { ply: 0, uci: 'e2e4' });
  await post(black, `/api/v1/games/${id}/moves`, { ply: 1, uci: 'c7c5' });
  await post(n < 8 ? berta : anna, `/api/v1/games/${id}/resignation`);
}

const games = ({ page }: Person) => page.locator('section[aria-labelledby="history"] article');

async function hasGames(person: Person, count: number): Promise<void> {
  await expect.poll(() => games(person).count(), { timeout: 30_000 }).toBe(count);
}

test('a profile shows strength, chart and the score between two players', async () => {
  const { page } = berta;
  await page.goto('/@/anna');
  await page.getByRole('heading', { name: 'anna', level: 1 }).waitFor();
  await berta.sees('12 games');
  await berta.sees('8 won · 0 drawn · 4 lost');
  await berta.sees('You against anna: 4 won, 0 drawn, 8 lost');
  const pool = page.getByRole('button', { name: /^Blitz/ });
  expect(await pool.textContent()).toContain('11 games');
  const chart = page.getByRole('img', { name: /^Blitz rating from/ });
  await chart.waitFor();
  await page.getByText('Show as a table').click();
  await expect.poll(() => page.locator('figure tbody tr').count()).toBeGreaterThan(0);
  await checkPage(page);
});

test('a history has ten games a page, and one comes back to the page one left', async () => {
  const { page } = berta;
  await page.goto('/@/anna');
  await hasGames(berta, 10);
  const newest = games(berta).first();
  expect(await newest.textContent()).toContain('Casual');
  for (const fact of ['Lost', '1 move', 'B20 Sicilian Defense']) expect(await newest.textContent()).toContain(fact);
  await berta.presses('Older');
  await hasGames(berta, 2);
  expect(page.url()).toContain('before=');
  await games(berta)
    .last()
    .getByRole('link', { name: /Replay/ })
    .click();
  await berta.sits();
  await berta.reads('e4', 'c5');
  await page.goBack();
  await hasGames(berta, 2);
  await berta.presses('Newer');
  await hasGames(berta, 10);
  expect(page.url()).not.toContain('before=');
});

test('a history is narrowed down, and the address says how', async () => {
  const { page } = berta;
  await page.goto('/@/anna');
  await hasGames(berta, 10);
  await page.getByLabel('Result').selectOption('Lost');
  await hasGames(berta, 4);
  await page.getByLabel('Colour').selectOption('White');
  await hasGames(berta, 2);
  expect(page.url()).toContain('result=lost');
  await page.reload();
  await hasGames(berta, 2);
  expect(await page.getByLabel('Result').inputValue()).toBe('lost');
  await page.getByLabel('Opponent').fill('nobody');
  await page.getByLabel('Opponent').press('Enter');
  await berta.sees('No games match. Try fewer conditions.');
  await berta.presses('Show all games');
  await hasGames(berta, 10);
  expect(new URL(page.url()).search).toBe('');
  berta.behaves(FAIR_PLAY);
});

test('the best of every pool are listed', async () => {
  const { page } = anna;
  await page.goto('/leaderboards');
  const blitz = page.getByRole('region', { name: 'Blitz' });
  await blitz.waitFor();
  expect(await page.getByRole('region').count()).toBe(1);
  const names = blitz.locator('tbody .name');
  expect((await names.allTextContents()).map((name) => name.trim())).toEqual(await byRating());
  await names.first().getByRole('link').click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('/leaderboards/standard/blitz');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  await checkPage(page);
  anna.behaves(FAIR_PLAY);
});

/** Who is ahead is the server's to say. */
async function byRating(): Promise<string[]> {
  interface Profile {
    player: { name: string };
    pools: { rating: number }[];
  }
  const profiles = await Promise.all(
    ['anna', 'berta'].map(async (name) => (await anna.page.request.get(`/api/v1/players/${name}`)).json()),
  );
  return (profiles as Profile[])
    .sort((a, b) => (b.pools[0]?.rating ?? 0) - (a.pools[0]?.rating ?? 0))
    .map(({ player }) => player.name);
}

test('a profile fits a phone, where the filters open by a button', async () => {
  const phone = await Person.arrive(browser, server.url, PHONE);
  await phone.page.goto('/@/anna');
  await hasGames(phone, 10);
  expect(await phone.page.getByLabel('Result').isVisible()).toBe(false);
  await phone.presses('Filter');
  await phone.page.getByLabel('Result').selectOption('Lost');
  await hasGames(phone, 4);
  await checkPage(phone.page);
  phone.behaves();
  await phone.leave();
});
