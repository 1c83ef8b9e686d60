// What can go differently than planned: seats changed by hand, results corrected and taken back, arbiters at the tables;
// and an arena, whose boards begin one after the other.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventView, RoundView, TableView } from '../../src/lib/api/types';
import { checkPage, PHONE, tooSmall } from './judge';
import { QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let director: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  director = await Person.arrive(browser, server.url, { viewport: { width: 1280, height: 900 } });
  await setUp(director, server);
}, 60_000);

afterAll(async () => {
  await director?.leave();
  await browser?.close();
  await server?.end();
});

/** A picture for whoever wants to look at it: `EVENT_PICTURES=DIR`. */
async function picture(person: Person, name: string): Promise<void> {
  const folder = process.env.EVENT_PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await person.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Asks the API as this person. */
async function ask<T>(person: Person, method: string, path: string, data?: unknown): Promise<T> {
  const answer = await person.page.context().request.fetch(`/api/v1/events${path}`, { method, data: data ?? {} });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** An event over the board that runs, with so many players, the strongest first. */
async function begun(name: string, players: number, regulations: object): Promise<string> {
  const { id } = await ask<EventView>(director, 'POST', '', {
    name,
    regulations: { first_color: 'white', ...regulations },
  });
  const people = Array.from({ length: players }, (_, i) => ({
    name: `Player ${String.fromCharCode(65 + i)}`,
    rating: 2000 - 25 * i,
  }));
  await ask(director, 'POST', `/${id}/players`, { people });
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  return id;
}

/** The boards of a round in numbers of players. */
async function pairs(id: string, round: number): Promise<number[][]> {
  const { boards } = await ask<RoundView>(director, 'GET', `/${id}/rounds/${round}`);
  return boards.map(({ white, black }) => [white, black]);
}

test('a director changes the seats of a proposal and of a round that is published', async () => {
  const { page } = director;
  const id = await begun('Seats', 5, { rounds: 3 });
  await page.goto(`/events/${id}/desk`);
  await director.presses('Pair');
  // 1-3 and 4-2, and the weakest is free: Player A sits out instead.
  await page.getByRole('button', { name: /^Player A, White, board 1/ }).click();
  await page.getByRole('button', { name: /^Player E, free/ }).click();
  await page.getByRole('button', { name: /^Player E, White, board 1/ }).waitFor();
  await picture(director, 'proposal-changed');
  await checkPage(page);
  await director.presses('Publish');
  await page.getByRole('heading', { name: 'Round 1', exact: true }).waitFor();
  const { byes } = await ask<RoundView>(director, 'GET', `/${id}/rounds/1`);
  expect(byes).toEqual([{ player: 1, bye: 'pairing' }]);
  const before = await pairs(id, 1);
  await director.presses('Change seats');
  await page.getByRole('button', { name: /, White, board 1/ }).click();
  await page.getByRole('button', { name: /, Black, board 1/ }).click();
  await director.presses('Save the seats');
  await expect.poll(() => pairs(id, 1)).toEqual([before[0]?.toReversed(), before[1]]);
  await page.getByRole('button', { name: 'Change seats' }).waitFor();
  await ask(director, 'PUT', `/${id}/rounds/1/boards/1/result`, { result: '1-0' });
  await expect.poll(() => page.getByRole('button', { name: 'Change seats' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
  director.behaves();
}, 60_000);

test('a director orders the numbers, pairs again what has changed since, and starts the timer of the hall', async () => {
  const { page } = director;
  const id = await begun('Numbers', 4, { system: 'round_robin', pace: { round_minutes: 60 } });
  const seeds = async (): Promise<(number | null)[]> =>
    (await ask<EventView>(director, 'GET', `/${id}`)).players.map(({ seed }) => seed);
  await page.goto(`/events/${id}/desk`);
  await page.getByText('Order of the numbers').click();
  await page.getByRole('button', { name: 'Player B one place up' }).click();
  await expect.poll(seeds).toEqual([2, 1, 3, 4]);
  await checkPage(page);
  await director.presses('Pair');
  await page.getByRole('button', { name: /, White, board 2/ }).waitFor();
  // Two more come before the round is published.
  await ask(director, 'POST', `/${id}/players`, { people: [{ name: 'Player E' }, { name: 'Player F' }] });
  await director.presses('Publish');
  await director.sees(/It was paired again/);
  await page.getByRole('button', { name: /, White, board 3/ }).waitFor();
  await picture(director, 'paired-anew');
  await director.presses('Publish');
  await page.getByRole('heading', { name: 'Round 1', exact: true }).waitFor();
  const timer = page.getByRole('timer');
  await expect.poll(() => timer.allTextContents()).toEqual(['Round 1 has not begun 1:00:00']);
  await director.presses('Start the timer');
  await expect.poll(() => timer.allTextContents()).toEqual([expect.stringMatching(/^Round 1 ends in (1:00:00|59:)/)]);
  await director.presses('5 minutes more');
  await director.presses('Stop the timer');
  await expect
    .poll(() => timer.allTextContents())
    .toEqual([expect.stringMatching(/^Round 1 stands still at 1:0[45]:/)]);
  await checkPage(page);
  await page.goto(`/events/${id}`);
  await expect.poll(() => timer.allTextContents()).toEqual([expect.stringMatching(/^Round 1 stands still/)]);
  await page.goto(`/events/${id}/screen`);
  await expect.poll(() => timer.allTextContents()).toEqual([expect.stringMatching(/^Round 1 stands still/)]);
  director.behaves(/409/);
  // The refusal was meant; the tests below have nothing to do with it.
  director.faults.length = 0;
}, 60_000);

test('a correction shows its consequences and can be taken back', async () => {
  const { page } = director;
  const id = await begun('Corrections', 4, { rounds: 3 });
  await ask(director, 'POST', `/${id}/rounds`);
  for (const board of [1, 2]) await ask(director, 'PUT', `/${id}/rounds/1/boards/${board}/result`, { result: '1-0' });
  await ask(director, 'POST', `/${id}/rounds`);
  const result = async (): Promise<string | null | undefined> =>
    (await ask<RoundView>(director, 'GET', `/${id}/rounds/1`)).boards[0]?.result;
  await page.goto(`/events/${id}/desk`);
  await page.getByRole('group', { name: 'Rounds' }).getByRole('button', { name: 'Round 1' }).click();
  const first = page.getByRole('group', { name: /^Result of/ }).first();
  await first.getByRole('button', { name: '0 – 1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Player A: 1\.0 → 0\.0 points/).waitFor();
  await picture(director, 'correction');
  expect(await result(), 'nothing is done yet').toBe('1-0');
  await dialog.getByRole('button', { name: 'Correct the result' }).click();
  await expect.poll(result).toBe('0-1');
  await page.getByText('What was done').click();
  await page
    .getByRole('button', { name: /^Undo round 1, board 1/ })
    .first()
    .click();
  await expect.poll(result).toBe('1-0');
  director.behaves();
}, 60_000);

test('an arbiter at a table enters the result on the own phone', async () => {
  const id = await begun('Tables', 4, { rounds: 3 });
  await ask(director, 'POST', `/${id}/rounds`);
  const storageState = await director.page.context().storageState();
  const phone = await Person.arrive(browser, server.url, { ...PHONE, storageState });
  await phone.page.goto(`/events/${id}/table/1`);
  await phone.page.getByRole('button', { name: /^\+ –/ }).click();
  await phone.page.getByRole('button', { name: 'Open the board again' }).waitFor();
  await picture(phone, 'table-staff');
  expect(await tooSmall(phone.page)).toEqual([]);
  await checkPage(phone.page);
  const table = await ask<TableView>(director, 'GET', `/${id}/tables/1`);
  expect(table.result).toBe('+-');
  phone.behaves();
  await phone.leave();
}, 60_000);

test('a match for the third place belongs to a knockout, and every match can be decided', async () => {
  const { page } = director;
  const id = await begun('Cup', 4, { system: 'knockout', knockout: { third_place: true } });
  await ask(director, 'POST', `/${id}/rounds`);
  await ask(director, 'PUT', `/${id}/rounds/1/boards/1/result`, { result: '1-0' });
  await ask(director, 'PUT', `/${id}/rounds/1/boards/2/result`, { result: '--' });
  await page.goto(`/events/${id}/desk`);
  await page.getByText(/has no winner/).waitFor();
  await page
    .getByRole('button', { name: /advances$/ })
    .first()
    .click();
  await director.presses('Pair');
  await director.presses('Publish');
  await page.getByRole('heading', { name: 'Round 2', exact: true }).waitFor();
  for (const board of [1, 2]) await ask(director, 'PUT', `/${id}/rounds/2/boards/${board}/result`, { result: '1-0' });
  await director.sees(/All rounds are played/);
  director.behaves();
}, 60_000);

test('an arbiter of one event finds the desk from its games, though it is over', async () => {
  const regulations = { system: 'round_robin', online: true, pace: { automatic: false } };
  const { id } = await ask<EventView>(director, 'POST', '', { name: 'Closed', regulations });
  const [rita, sven, tove] = [
    await Person.arrive(browser, server.url),
    await Person.arrive(browser, server.url),
    await Person.arrive(browser, server.url),
  ];
  await signUp(rita, 'rita');
  await signUp(sven, 'sven');
  await signUp(tove, 'tove');
  await ask(director, 'POST', `/${id}/players`, { members: ['sven', 'tove'] });
  await ask(director, 'POST', `/${id}/arbiters`, { name: 'rita' });
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  await ask(director, 'POST', `/${id}/rounds`);
  await ask(director, 'PUT', `/${id}/rounds/1/boards/1/result`, { result: '1-0' });
  await ask(director, 'PUT', `/${id}/state`, { state: 'finished' });
  const [board] = (await ask<RoundView>(director, 'GET', `/${id}/rounds/1`)).boards;
  const desk = `/arbiter/${board?.game}`;
  await rita.page.goto(`/events/${id}/desk`);
  await rita.page.locator(`a[href="${desk}"]`).waitFor();
  expect(await rita.page.getByRole('group', { name: /^Result of/ }).count(), 'results are entered no more').toBe(0);
  await rita.page.goto(`/${board?.game}`);
  await rita.page.getByRole('link', { name: "Open at the arbiter's desk" }).click();
  await rita.page.getByRole('heading', { name: 'Decide', exact: true }).waitFor();
  await sven.page.goto(`/${board?.game}`);
  await sven.page.getByRole('link', { name: 'Closed' }).waitFor();
  expect(await sven.page.locator(`a[href="${desk}"]`).count()).toBe(0);
  for (const person of [rita, sven, tove]) {
    person.behaves();
    await person.leave();
  }
}, 60_000);

test('an arena shows the boards of all waves, and offers half the time at the board', async () => {
  const regulations = {
    system: 'arena',
    online: true,
    time: { kind: 'fischer', initial_ms: 180_000, increment_ms: 2000 },
    arena: { minutes: 10 },
    pace: { no_show_seconds: 60 },
  };
  const { id } = await ask<EventView>(director, 'POST', '', { name: 'Late Arena', regulations });
  await ask(director, 'PUT', `/${id}/state`, { state: 'registration' });
  const players: Person[] = [];
  const join = async (name: string): Promise<void> => {
    const person = await Person.arrive(browser, server.url);
    await signUp(person, name);
    await person.page.goto(`/events/${id}`);
    await person.presses('Join');
    players.push(person);
  };
  for (const name of ['anna', 'bert']) await join(name);
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  const [first] = players;
  await first?.sits();
  await director.page.goto(`/events/${id}?tab=boards`);
  const boards = director.page.getByRole('link', { name: /^Board \d/ });
  await expect.poll(() => boards.count(), { timeout: 15_000 }).toBe(1);
  for (const name of ['carl', 'dora']) await join(name);
  await expect.poll(() => boards.count(), { timeout: 20_000 }).toBe(2);
  await picture(director, 'arena-boards');
  await first?.presses('Berserk');
  await expect.poll(() => first?.page.getByRole('timer').allTextContents()).toContain('1:30');
  await expect.poll(() => first?.page.getByRole('button', { name: 'Berserk' }).count()).toBe(0);
  await picture(first ?? director, 'arena-game');
  await first?.page.getByRole('link', { name: 'Late Arena' }).click();
  await first?.page.getByRole('heading', { name: 'Late Arena' }).waitFor();
  for (const person of players) await person.leave();
}, 120_000);
