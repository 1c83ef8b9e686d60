// An event in its hall: paper on the wall, the big screen, players who check in and report by themselves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventView, RoundView } from '../../src/lib/api/types';
import { checkPage, PHONE, tooSmall } from './judge';
import { QUICK, setUp, signUp } from './member';
import { pagesOf, textOf } from './pdf';
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

/** Asks the API as this person. */
async function ask<T>(person: Person, method: string, path: string, data?: unknown): Promise<T> {
  const answer = await person.page.context().request.fetch(`/api/v1/events${path}`, { method, data: data ?? {} });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** An event over the board in which all rounds were played. */
async function played(name: string, players: number, rounds: number, regulations: object): Promise<string> {
  const { id } = await ask<EventView>(director, 'POST', '', { name, regulations });
  const people = Array.from({ length: players }, (_, i) => ({
    name: `Longername-${String.fromCharCode(65 + i)}, Firstname`,
    rating: 2000 - 25 * i,
  }));
  await ask(director, 'POST', `/${id}/players`, { people });
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  for (let round = 1; round <= rounds; round += 1) {
    await ask(director, 'POST', `/${id}/rounds`);
    const { boards } = await ask<RoundView>(director, 'GET', `/${id}/rounds/${round}`);
    for (const { number } of boards) {
      const result = number % 3 === 0 && regulations !== KNOCKOUT ? '1/2-1/2' : '1-0';
      await ask(director, 'PUT', `/${id}/rounds/${round}/boards/${number}/result`, { result });
    }
  }
  return id;
}

const KNOCKOUT = { system: 'knockout' };

/** A4 across with margins of a centimetre, in pixels of the page. */
const ACROSS = Math.floor((277 / 25.4) * 96);
const UPRIGHT = Math.floor((180 / 25.4) * 96);

/** Prints a sheet: nothing stands beyond the edge of the paper. Gives the PDF. */
async function print(id: string, sheet: string, width: number): Promise<Buffer> {
  const { page } = director;
  await page.goto(`/events/${id}/print`);
  await page.getByLabel('What to print').selectOption(sheet);
  await page.locator('.paper .scroll').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 900 });
  const beyond = await page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const cut = [...document.querySelectorAll('.paper .scroll')].filter((it) => it.scrollWidth > it.clientWidth + 1);
    const cells = [...document.querySelectorAll('.paper :is(th, td, .match)')];
    return [...cut, ...cells.filter((it) => it.getBoundingClientRect().right > edge + 1)].map((it) => it.textContent);
  });
  expect(beyond, sheet).toEqual([]);
  if (before !== null) await page.setViewportSize(before);
  const margin = { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' };
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true, margin });
  await page.emulateMedia({ media: 'screen' });
  const folder = process.env.EVENT_PICTURES;
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${sheet}-${width}.pdf`.toLowerCase().replace(' ', '-')), pdf);
  }
  return pdf;
}

test('a cross table of sixteen fits on one sheet with every column', async () => {
  const id = await played('Round Table', 16, 15, { system: 'round_robin' });
  const pdf = await print(id, 'Cross table', ACROSS);
  expect(pagesOf(pdf)).toBe(1);
  const words = textOf(pdf).split(/\s+/);
  for (let place = 1; place <= 16; place += 1) expect(words, `column ${place}`).toContain(String(place));
  expect(words).toContain('Points');
  const { rows } = await ask<{ rows: Array<{ points: string }> }>(director, 'GET', `/${id}/standings`);
  for (const { points } of rows) expect(words, 'the last column').toContain(points);
  director.behaves();
}, 90_000);

test('standings with many tie-breaks, long tournaments and brackets fit on paper too', async () => {
  const tie_breaks = ['BH/C1', 'BH', 'BH/M1', 'SB', 'DE', 'WIN', 'WON', 'BPG', 'BWG', 'PS'];
  const swiss = await played('Long Open', 12, 9, { rounds: 9, tie_breaks });
  expect(textOf(await print(swiss, 'Standings', ACROSS)).split(/\s+/)).toContain('PS');
  expect(pagesOf(await print(swiss, 'Cross table', ACROSS))).toBe(1);
  expect(pagesOf(await print(swiss, 'Pairings', UPRIGHT))).toBe(1);
  const cup = await played('Long Cup', 16, 4, KNOCKOUT);
  const bracket = await print(cup, 'Bracket', ACROSS);
  expect([pagesOf(bracket), textOf(bracket).includes('Final')]).toEqual([1, true]);
  director.behaves();
}, 120_000);

test('the big screen shows the running round and turns its pages by itself', async () => {
  const { id } = await ask<EventView>(director, 'POST', '', { name: 'Hall Open', regulations: { rounds: 3 } });
  const people = Array.from({ length: 60 }, (_, i) => ({ name: `Guest ${i + 1}`, rating: 2200 - 10 * i }));
  await ask(director, 'POST', `/${id}/players`, { people });
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  const screen = await Person.arrive(browser, server.url, { viewport: { width: 1920, height: 1080 } });
  await screen.page.goto(`/events/${id}/screen`);
  await screen.sees('Guest 1');
  await ask(director, 'POST', `/${id}/rounds`);
  await screen.sees(/^Round 1/);
  const table = screen.page.getByRole('table').first();
  await checkPage(screen.page);
  const first = await table.innerText();
  await expect.poll(() => table.innerText(), { timeout: 30_000 }).not.toBe(first);
  screen.behaves();
  await screen.leave();
}, 60_000);

test('the desk sees at once who checks in, and a player reports without a code', async () => {
  const form = { name: 'Members Open', regulations: { results_by: 'players', first_color: 'white' } };
  const { id } = await ask<EventView>(director, 'POST', '', form);
  await ask(director, 'PUT', `/${id}/state`, { state: 'registration' });
  const [anna, bert] = [
    await Person.arrive(browser, server.url, PHONE),
    await Person.arrive(browser, server.url, PHONE),
  ];
  await signUp(anna, 'anna');
  await signUp(bert, 'bert');
  for (const person of [anna, bert]) {
    await person.page.goto(`/events/${id}`);
    await person.presses('Join');
    await person.page.getByRole('button', { name: 'Leave' }).waitFor();
  }
  await ask(director, 'PUT', `/${id}/state`, { state: 'check_in' });
  await director.page.goto(`/events/${id}/desk`);
  const there = director.page.getByRole('checkbox', { name: 'there', checked: true });
  await expect.poll(() => director.page.getByRole('checkbox', { name: 'there' }).count()).toBe(2);
  expect(await there.count()).toBe(0);
  for (const [place, person] of [anna, bert].entries()) {
    await person.page.goto(`/events/${id}`);
    await person.presses('I am here');
    await expect.poll(() => there.count()).toBe(place + 1);
  }
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  await ask(director, 'POST', `/${id}/rounds`);
  for (const person of [anna, bert]) {
    await person.page.getByRole('link', { name: 'Report my result' }).click();
    await person.page.getByRole('button', { name: /1 – 0/ }).click();
    expect(await tooSmall(person.page)).toEqual([]);
    await person.presses('Report the result');
  }
  for (const person of [anna, bert]) {
    await person.sees('The result is noted. Thank you!');
    person.behaves();
    await person.leave();
  }
  const { boards } = await ask<RoundView>(director, 'GET', `/${id}/rounds/1`);
  expect(boards[0]?.result).toBe('1-0');
  director.behaves();
}, 60_000);
