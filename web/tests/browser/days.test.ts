// Games of days at the screen: by keyboard and ear alone, with a second press before anything is sent, and moves
// written in everybody's own letters.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Notation } from '../../src/lib/api/types';
import { QUICK, setUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

const DAYS = { kind: 'days', per_move_ms: 259_200_000 };
let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

/** Asks the server as this person's browser would. */
async function post(person: Person, path: string, data: object): Promise<{ id: string }> {
  const answer = await person.page.context().request.post(`/api/v1${path}`, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as { id: string };
}

/** Two guests with a game of days between them; the first has White. */
async function slowGame(more: object): Promise<[Person, Person, string]> {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  const { id } = await post(white, '/challenges', { time: DAYS, color: 'white', ...more });
  await post(black, `/challenges/${id}/acceptance`, {});
  return [white, black, id];
}

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

test('a move in a game of days is made by the keyboard alone and heard', async () => {
  const [white, black, id] = await slowGame({});
  await Promise.all([white.page.goto(`/${id}`), black.page.goto(`/${id}`)]);
  await Promise.all([white.sits(), black.sits()]);
  const isReached = (): Promise<boolean> =>
    white.page.getByLabel('Type a move').evaluate((input) => input === document.activeElement);
  for (let presses = 0; presses < 60 && !(await isReached()); presses += 1) await white.page.keyboard.press('Tab');
  expect(await isReached()).toBe(true);
  await white.page.keyboard.type('Nf3');
  await white.page.keyboard.press('Enter');
  await black.reads('Nf3');
  const heard = black.page.locator('[aria-live="assertive"]').first();
  await expect.poll(() => heard.textContent()).toBe('White: Knight f3');

  await black.click('d7d5', 'black');
  await black.presses('Take it back');
  await black.click('e7e5', 'black');
  await black.presses('Play it');
  await white.reads('Nf3', 'e5');
  await part(white, black);
});

test('a placement in a game of days can be taken back before it is sent', async () => {
  const [white, black, id] = await slowGame({ variant: 'defender', start: '8/8/8/8/8/8/8/8 w - - 0 1 5/5' });
  await Promise.all([white.page.goto(`/${id}`), black.page.goto(`/${id}`)]);
  for (const [square, answer] of [
    ['f3', 'Take it back'],
    ['c3', 'Play it'],
  ] as const) {
    await white.page.getByRole('button', { name: /^Knight, / }).click();
    await white.page.getByRole('button', { name: `Knight to ${square}`, exact: true }).click();
    await white.sees(`Knight ${square}`);
    await white.presses(answer);
  }
  await black.reads('N@c3');
  await part(white, black);
});

const WRITTEN: ReadonlyArray<readonly [Notation, string, string]> = [
  ['en', 'Nf6', 'exd6'],
  ['cs', 'Jf6', 'exd6\u00a0e.p.'],
  ['sk', 'Jf6', 'exd6\u00a0e.p.'],
  ['pl', 'Sf6', 'exd6\u00a0e.p.'],
  ['de', 'Sf6', 'exd6\u00a0e.p.'],
  ['es', 'Cf6', 'exd6\u00a0a.p.'],
  ['fr', 'Cf6', 'exd6\u00a0e.p.'],
  ['figurine', '♘f6', 'exd6'],
];

test('moves are written in the letters of every language, at the board and elsewhere', async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const seat = (name: string): object => ({ kind: 'guest', name });
  const table = { time: { kind: 'unlimited' }, white: seat('Ola'), black: seat('Kari') };
  const { id } = await post(boss, '/one-computer', table);
  for (const [ply, uci] of ['e2e4', 'g8f6', 'e4e5', 'd7d5', 'e5d6'].entries()) {
    await post(boss, `/games/${id}/moves`, { ply, uci });
  }
  for (const [notation, knight, passing] of WRITTEN) {
    const answer = await boss.page.context().request.put('/api/v1/account/preferences', { data: { notation } });
    expect(answer.ok()).toBe(true);
    await boss.page.goto(`/${id}`);
    await boss.reads('e4', knight, 'e5', 'd5', passing);
  }
  await boss.page
    .context()
    .request.put('/api/v1/account/preferences', { data: { notation: 'cs', piece_set: 'plain' } });
  await boss.page.goto(`/arbiter/${id}`);
  await boss.reads('e4', 'Jf6', 'e5', 'd5', 'exd6\u00a0e.p.');
  await boss.page.getByRole('cell', { name: 'Jf6', exact: true }).waitFor();
  await boss.page.goto(`/analysis?game=${id}`);
  await boss.page.getByRole('button', { name: 'Jf6', exact: true }).first().waitFor();
  const knight = boss.page.locator('cg-board piece.knight').first();
  await expect
    .poll(() => knight.evaluate((it) => getComputedStyle(it).backgroundImage))
    .toContain('data:image/svg+xml,');
  await part(boss);
});
