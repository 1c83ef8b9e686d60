// Events in a real browser: a director with an empty event, and what players see of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventView, RoundView } from '../../src/lib/api/types';
import { checkPage, DARK, PHONE, tooSmall } from './judge';
import { QUICK, setUp, signUp } from './member';
import { pagesOf } from './pdf';
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

/** Makes an event by the form; the director's desk is open afterwards. Gives the event's id. */
async function make(name: string, system: string): Promise<string> {
  const { page } = director;
  await page.goto('/events');
  await page.getByRole('link', { name: 'New event' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: system }).check();
  await director.presses('Create event');
  await page.getByRole('heading', { name }).waitFor();
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

/** Enters people by pasting a list. */
async function paste(count: number): Promise<void> {
  const { page } = director;
  const lines = Array.from({ length: count }, (_, i) => `Player ${String.fromCharCode(65 + i)};${2000 - 25 * i};Tower`);
  await page.getByText('Members of the club, or a whole list').click();
  await page.getByLabel('Paste a list').fill(lines.join('\n'));
  await director.presses('Look at it');
  const enter = page.getByRole('button', { name: `Enter ${count} players` });
  await enter.click();
  await enter.waitFor({ state: 'hidden' });
  await director.sees(`${count} players`);
}

/** Pairs and publishes the next round, and lets White win every board. */
async function playRound(number: number): Promise<void> {
  const { page } = director;
  await director.presses('Pair');
  await page.getByLabel('Show reasons').check();
  await director.presses('Publish');
  await page.getByRole('heading', { name: `Round ${number}`, exact: true }).waitFor();
  const open = page.getByRole('group', { name: /^Result of/ }).getByRole('button', { name: '1 – 0', pressed: false });
  await open.first().waitFor();
  while ((await open.count()) > 0) {
    const before = await open.count();
    await open.first().click();
    await expect.poll(() => open.count()).toBe(before - 1);
  }
  await director.sees('All results are in.');
}

test('a director runs a round robin of eight from empty to the final table', async () => {
  const id = await make('Club Championship', 'Round robin Everybody meets everybody once.');
  await paste(8);
  await director.page.getByRole('button', { name: 'Edit Player C' }).click();
  const dialog = director.page.getByRole('dialog');
  await dialog.getByLabel('FIDE number').fill('14900001');
  await dialog.getByLabel('Title').selectOption('FM');
  await picture(director, 'entry-form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await director.sees('FM Player C');
  await director.presses('Start now');
  await picture(director, 'desk-start');
  for (let round = 1; round <= 7; round += 1) await playRound(round);
  await picture(director, 'desk-played');
  await director.presses('Finish the event');
  await director.page.goto(`/events/${id}`);
  const rows = director.page.getByRole('table', { name: 'Standings' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(9);
  await picture(director, 'standings-wide');
  await director.page.getByRole('link', { name: 'Cross table' }).click();
  await director.page.getByRole('table', { name: 'Cross table' }).waitFor();
  await picture(director, 'cross-wide');
  const parts = director.page.getByRole('navigation', { name: 'Parts of the event' });
  await parts.getByRole('link', { name: 'Players' }).click();
  await director.presses('Player A');
  await director.page.getByRole('dialog').getByText('White / Black').waitFor();
  await picture(director, 'card');
  director.behaves();
}, 120_000);

test('a knockout of seven is drawn as a bracket with one bye and one winner', async () => {
  const id = await make('Cup Night', 'Knockout Who loses a match is out.');
  await paste(7);
  await director.presses('Start now');
  for (const round of [1, 2, 3]) await playRound(round);
  await director.sees(/All rounds are played/);
  await director.page.goto(`/events/${id}`);
  await director.page.getByRole('heading', { name: 'Final', exact: true }).waitFor();
  await picture(director, 'bracket');
  const standings = await ask<{ rows: Array<{ rank: number }> }>(director, 'GET', `/${id}/standings`);
  expect(standings.rows.filter(({ rank }) => rank === 1)).toHaveLength(1);
  director.behaves();
}, 90_000);

test('a result is reported on two phones by the code of the table', async () => {
  const form = { name: 'School Open', regulations: { results_by: 'players', first_color: 'white' } };
  const { id } = await ask<EventView>(director, 'POST', '', form);
  await ask(director, 'POST', `/${id}/players`, { people: [{ name: 'Able, Test' }, { name: 'Baker, Test' }] });
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  await ask(director, 'POST', `/${id}/rounds`);
  await director.page.goto(`/events/${id}/print`);
  await director.page.getByLabel('What to print').selectOption('Table codes');
  const code = director.page.getByRole('img', { name: 'Code of table 1' });
  await expect.poll(() => code.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100);
  await picture(director, 'codes');
  const link = await scan(id);
  const [one, two] = [await Person.arrive(browser, server.url, PHONE), await Person.arrive(browser, server.url, PHONE)];
  await one.page.goto(link);
  await one.page.getByRole('button', { name: 'Able, Test', exact: true }).click();
  await one.page.getByRole('button', { name: /1 – 0/ }).click();
  await picture(one, 'table-phone');
  expect(await tooSmall(one.page)).toEqual([]);
  await checkPage(one.page);
  await one.presses('Report the result');
  await one.sees(/Now Baker, Test has to say the same/);
  await two.page.goto(link);
  await two.page.getByRole('button', { name: 'Baker, Test', exact: true }).click();
  await two.page.getByRole('button', { name: /1 – 0/ }).click();
  await two.presses('Report the result');
  await two.sees('The result is noted. Thank you!');
  await one.sees('The result is noted. Thank you!');
  await picture(two, 'table-done');
  const round = await ask<RoundView>(director, 'GET', `/${id}/rounds/1`);
  expect(round.boards[0]?.result).toBe('1-0');
  for (const phone of [one, two]) {
    phone.behaves();
    await phone.leave();
  }
}, 60_000);

/** Reads the code of table 1 as a phone's camera would: from the picture. */
async function scan(id: string): Promise<string> {
  const picture = await director.page.context().request.get(`/api/v1/events/${id}/tables/1/qr.svg`);
  const svg = await picture.text();
  const jsQR = (await import('jsqr')).default;
  const size = 480;
  const pixels = await director.page.evaluate(
    async ([text, width]) => {
      const image = new Image();
      image.src = `data:image/svg+xml;base64,${btoa(text)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = width;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, width, width);
      return [...(context?.getImageData(0, 0, width, width).data ?? [])];
    },
    [svg, size] as const,
  );
  const found = jsQR(new Uint8ClampedArray(pixels), size, size);
  const { pathname, search } = new URL(found?.data ?? '');
  return pathname + search;
}

test('an online swiss calls its players to their boards by itself, a late entry too', async () => {
  const regulations = {
    online: true,
    rounds: 5,
    first_color: 'white',
    entry: { late_until: 3 },
    time: { kind: 'fischer', initial_ms: 180_000, increment_ms: 0 },
    pace: { automatic: true, pause_seconds: 1, no_show_seconds: 60 },
  };
  const { id } = await ask<EventView>(director, 'POST', '', { name: 'Friday Blitz', regulations });
  await ask(director, 'PUT', `/${id}/state`, { state: 'registration' });
  const players: Person[] = [];
  const join = async (name: string): Promise<void> => {
    const person = await Person.arrive(browser, server.url);
    await signUp(person, name);
    await person.page.goto(`/events/${id}`);
    await person.presses('Join');
    await person.page.getByRole('button', { name: /Leave|Withdraw/ }).waitFor();
    players.push(person);
  };
  for (const name of ['anna', 'bert', 'carl', 'dora', 'emil', 'fine']) await join(name);
  await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
  for (let round = 1; round <= 5; round += 1) {
    await expect
      .poll(async () => (await ask<EventView>(director, 'GET', `/${id}`)).rounds.length, { timeout: 30_000 })
      .toBe(round);
    const { boards } = await ask<RoundView>(director, 'GET', `/${id}/rounds/${round}`);
    expect(boards.length).toBe(players.length / 2);
    // Nobody has pressed anything: the server calls them from wherever they are.
    const at = (game: string | null): Person[] => players.filter(({ page }) => page.url().endsWith(`/${game}`));
    for (const { game } of boards) await expect.poll(() => at(game).length, { timeout: 15_000 }).toBe(2);
    await Promise.all(players.map((person) => person.sits()));
    if (round === 1) {
      await picture(players[0] ?? director, 'online-game');
      await director.page.goto(`/events/${id}?tab=boards`);
      await expect.poll(() => director.page.getByRole('link', { name: /^Board \d/ }).count()).toBe(boards.length);
      await picture(director, 'live-boards');
      await join('gerd');
      await join('hans');
    }
    for (const { game } of boards) {
      for (const [ply, uci] of ['f2f3', 'e7e5', 'g2g4', 'd8h4'].entries()) {
        for (const person of at(game)) {
          const move = { data: { ply, uci } };
          const answer = await person.page.context().request.post(`/api/v1/games/${game}/moves`, move);
          if (answer.ok()) break;
        }
      }
    }
  }
  await expect
    .poll(async () => (await ask<EventView>(director, 'GET', `/${id}`)).has_ended, { timeout: 20_000 })
    .toBe(true);
  await director.page.goto(`/events/${id}`);
  const rows = director.page.getByRole('table', { name: 'Standings' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(9);
  await picture(director, 'online-standings');
  for (const person of players) await person.leave();
}, 180_000);

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE, dark: DARK })) {
  test(`every page of events is accessible and fits: ${name}`, async () => {
    const form = { name: 'Autumn Open', regulations: { rounds: 3, first_color: 'white', place: 'Town hall' } };
    const { id } = await ask<EventView>(director, 'POST', '', form);
    const people = Array.from({ length: 9 }, (_, i) => ({ name: `Player ${i + 1}, Test`, rating: 1900 - 30 * i }));
    await ask(director, 'POST', `/${id}/players`, { people });
    await ask(director, 'PUT', `/${id}/state`, { state: 'running' });
    await ask(director, 'POST', `/${id}/rounds`);
    await ask(director, 'PUT', `/${id}/rounds/1/boards/1/result`, { result: '1-0' });
    const context = await director.page.context().storageState();
    const person = await Person.arrive(browser, server.url, { ...options, storageState: context });
    for (const path of [
      '',
      `/${id}`,
      `/${id}?tab=pairings`,
      `/${id}?tab=cross`,
      `/${id}?tab=players`,
      `/${id}/desk`,
      `/${id}/edit`,
      '/new',
      `/${id}/print`,
    ]) {
      await person.page.goto(`/events${path}`);
      await person.page.locator('h1').first().waitFor();
      if (path.endsWith('edit') || path === '/new') await person.page.getByText('More regulations').click();
      await person.page.waitForTimeout(300);
      await picture(person, `page${path.replace(id, 'event').replaceAll(/\W+/g, '-')}-${name}`);
      await checkPage(person.page);
    }
    person.behaves();
    await person.leave();
  }, 90_000);
}

test('pairings and standings print as clean pages', async () => {
  const list = await ask<{ events: Array<{ id: string; name: string }> }>(director, 'GET', '?query=championship');
  const id = list.events[0]?.id ?? '';
  await director.page.goto(`/events/${id}/print`);
  for (const sheet of ['Pairings', 'Standings', 'Cross table', 'Score sheets']) {
    await director.page.getByLabel('What to print').selectOption(sheet);
    await director.page.locator('.paper table').first().waitFor();
    await director.page.emulateMedia({ media: 'print' });
    await expect.poll(() => director.page.getByRole('banner').isVisible()).toBe(false);
    expect(await director.page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    const pdf = await director.page.pdf({
      format: 'A4',
      preferCSSPageSize: true,
      margin: { top: '15mm', bottom: '15mm', left: '15mm', right: '15mm' },
    });
    expect(pagesOf(pdf), sheet).toBe(sheet === 'Score sheets' ? 4 : 1);
    if (process.env.EVENT_PICTURES !== undefined) {
      writeFileSync(join(process.env.EVENT_PICTURES, `${sheet.toLowerCase().replace(' ', '-')}.pdf`), pdf);
    }
    await director.page.emulateMedia({ media: 'screen' });
  }
  director.behaves();
}, 60_000);
