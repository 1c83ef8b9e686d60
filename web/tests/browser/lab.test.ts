// The lab as people use it: what is saved, published, shared, opened and undone, and what an event of hidden rules hides.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventView } from '../../src/lib/api/types';
import { QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let director: Person;
// Who has signed up stays: a second try is another member.
let members = 0;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  director = await Person.arrive(browser, server.url);
  await setUp(director, server);
});

afterAll(async () => {
  await director?.leave();
  await browser?.close();
  await server?.end();
});

/** Jumps two squares and one aside, and stays its owner's. */
const HOPPER = 'AHH HAA HAC HHH CHA CHA HHA CAC SAS';
/** Goes like a rook, but changes places with own pieces. */
const FERRY = 'AHHHAAHCASHACHACHAHHASASAAAAAAAAA';

/** Opens the lab and waits until its first example is explained. */
async function openLab(options = {}): Promise<Person> {
  const person = await Person.arrive(browser, server.url, options);
  await person.page.goto('/lab');
  await person.page.getByText('1c1736').first().waitFor();
  return person;
}

const editor = ({ page }: Person) => page.getByLabel('DNA', { exact: true });
const holds = ({ page }: Person, dna: string): Promise<void> =>
  expect.poll(() => page.getByLabel('DNA', { exact: true }).inputValue()).toBe(dna);
const library = ({ page }: Person) => page.getByRole('region', { name: 'My library' });

/** Writes a DNA and keeps it; gives its code. */
async function keep(person: Person, dna: string, name: string): Promise<string> {
  await editor(person).fill(dna);
  await person.page.getByLabel('Name', { exact: true }).fill(name);
  await person.page.getByRole('button', { name: 'Save genome' }).click();
  const row = library(person).getByRole('listitem').filter({ hasText: name });
  return (await row.locator('code').textContent()) ?? '';
}

/** Presses a square of the lab's board. */
async function press({ page }: Person, square: string, button: 'left' | 'right' = 'left'): Promise<void> {
  const box = await page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const [column, row] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
  const [x, y] = [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
  await page.mouse.click(x, y, { button });
}

test('what two members publish is in the gallery once, and goes only after a question', async () => {
  const [anna, bert] = [await openLab(), await openLab()];
  const code = await keep(anna, HOPPER, 'Frog');
  expect(await keep(bert, HOPPER, 'Toad')).toBe(code);
  for (const person of [anna, bert]) {
    await library(person).getByLabel('Published').click();
    await person.sees('is published: everybody may read it.');
    await expect.poll(() => library(person).getByLabel('Published').isChecked()).toBe(true);
  }
  const { page } = anna;
  await page.getByRole('link', { name: 'Gallery of creatures' }).click();
  await page.getByRole('link', { name: 'Frog' }).waitFor();
  expect(await page.getByRole('link', { name: /Frog|Toad/ }).count()).toBe(1);
  await page.getByRole('link', { name: 'Frog' }).click();
  await holds(anna, HOPPER);

  await library(anna).getByLabel('Published').click();
  await anna.sees('Frog is not published any more');
  await library(anna).getByRole('button', { name: 'Remove Frog from my library' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Frog from your library?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await library(anna).getByText('Frog').count()).toBe(1);
  await library(anna).getByRole('button', { name: 'Remove Frog from my library' }).click();
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await library(anna).getByText('Frog').waitFor({ state: 'detached' });
  for (const person of [anna, bert]) {
    person.behaves();
    await person.leave();
  }
});

test('each tool does its own, whatever was in hand before, and every step has a way back', async () => {
  const person = await openLab();
  const { page } = person;
  /** Takes a piece in hand, once the server has told where it may go. */
  const pick = async (square: string): Promise<void> => {
    await press(person, square, 'right');
    await page.locator('.gmo-board .reach').first().waitFor();
    await press(person, square);
    await page.locator('.gmo-board .dot').first().waitFor();
  };
  const take = (tool: string): Promise<void> => page.getByRole('radio', { name: tool, exact: true }).click();
  const on = (square: string) => page.locator(`.gmo-board [data-square="${square}"]`);
  /** A crown is the one gold thing on a creature. */
  const crowned = (square: string) => on(square).locator('path[fill="#ffd24a"]');
  await press(person, 'a1');
  await on('a1').waitFor();
  await take('King');
  await press(person, 'a1');
  await crowned('a1').waitFor();

  await take('Move');
  await pick('a1');
  await take('Erase');
  await page.locator('.gmo-board .dot').first().waitFor({ state: 'detached' });
  // The rook could go there: it was in hand when there was another tool.
  await press(person, 'a6');
  await press(person, 'a1');
  await on('a1').waitFor({ state: 'detached' });
  expect(await page.locator('.gmo-board .piece').count()).toBe(0);
  await person.presses('Undo');
  await crowned('a1').waitFor();
  await take('Move');
  await pick('a1');
  await press(person, 'a6');
  await crowned('a6').waitFor();
  await take('King');
  await press(person, 'a6');
  await crowned('a6').waitFor({ state: 'detached' });
  await on('a6').waitFor();

  const block = page.locator('figure', { has: page.getByRole('img', { name: /^Block 1 from d4/ }) });
  await block.getByRole('button', { name: 'Walk' }).click();
  await block.locator('.trail').waitFor({ state: 'attached' });
  await block.getByRole('button', { name: 'Stop' }).click();
  await block.locator('.trail').waitFor({ state: 'detached' });

  const before = await editor(person).inputValue();
  await person.presses('Mutate');
  await expect.poll(() => editor(person).inputValue()).not.toBe(before);
  await person.presses('Undo');
  await holds(person, before);
  person.behaves();
  await person.leave();
});

test('a genome and a back rank are saved under codes and loaded by them', async () => {
  const person = await openLab();
  const { page } = person;
  await person.presses('Lay out an army');
  await page.locator('[data-square="h2"]').waitFor();
  // Any other back rank than the one every club knows.
  await page.getByRole('radio', { name: 'Place', exact: true }).click();
  await press(person, 'b1');
  await page.getByLabel('Name', { exact: true }).fill('Three rooks');
  await person.presses('Save back rank');
  await person.sees('Preset saved as');
  const code = (await library(person).locator('code').textContent()) ?? '';
  await person.presses('Clear');
  await page.locator('[data-square="h2"]').waitFor({ state: 'detached' });
  const loads = async (wanted: string): Promise<void> => {
    await page.getByLabel('Code of a genome or preset').fill(wanted);
    await person.presses('Load');
  };
  await loads(code);
  await page.locator('[data-square="h2"]').waitFor();
  await loads('knight');
  await holds(person, `${HOPPER} AAC ACA`);
  // A code is looked up among the genomes first.
  person.behaves(/status of 404/);
  await person.leave();
});

test('a preset is shared with its genomes, so that somebody else can play with it', async () => {
  const [giver, taker] = [await openLab(), await Person.arrive(browser, server.url)];
  const { page } = giver;
  await keep(giver, `${HOPPER} AAA`, 'Leaper');
  await giver.presses('Lay out an army');
  await page.locator('[data-square="h2"]').waitFor();
  await page.getByRole('radio', { name: 'Place', exact: true }).click();
  await press(giver, 'b1');
  await page.getByLabel('Name', { exact: true }).fill('Leapers');
  await giver.presses('Save back rank');
  const row = library(giver).getByRole('listitem').filter({ hasText: 'Leapers' });
  const code = (await row.locator('code').textContent()) ?? '';
  const share = async (answer: string): Promise<void> => {
    await row.getByLabel('Usable by code').click();
    const question = page.getByRole('dialog', { name: 'Share the genomes of Leapers too?' });
    await question.getByText('Nobody else may use Leaper.').waitFor();
    await question.getByRole('button', { name: answer }).click();
    await giver.sees('Whoever knows the code of Leapers may play with it.');
    await expect.poll(() => row.getByLabel('Usable by code').isChecked()).toBe(true);
  };

  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const created = await page.request.post('/api/v1/challenges', { data: { variant: 'gmo', time, color: 'white' } });
  const { id } = (await created.json()) as { id: string };
  await taker.page.request.post(`/api/v1/challenges/${id}/acceptance`);
  const handIn = taker.page.getByRole('button', { name: 'Hand in' });
  const loads = async (): Promise<void> => {
    await taker.page.goto(`/${id}`);
    await taker.page.getByLabel('Code of a preset').fill(code);
    await taker.presses('Load');
    await taker.page.getByRole('radio', { name: code }).waitFor();
  };
  await share('Only the preset');
  await loads();
  await taker.sees('Whoever shared this preset has not shared all its genomes');
  expect(await handIn.isDisabled()).toBe(true);

  // What a preset is made of cannot be removed before it.
  await library(giver).getByRole('button', { name: 'Remove Leaper from my library' }).click();
  await giver.sees('Leaper stands in these presets of yours: Leapers. Remove them first.');
  await row.getByLabel('Usable by code').click();
  await giver.sees('The code of Leapers is of no use to others any more.');
  await share('With its genomes');
  await loads();
  await handIn.click();
  await taker.sees('Handed in. You may still change it');
  for (const person of [giver, taker]) {
    person.behaves();
    await person.leave();
  }
});

test('a long press of a finger asks where a piece could go', async () => {
  const person = await openLab({ hasTouch: true });
  const { page } = person;
  await press(person, 'd4');
  await page.locator('[data-square="d4"]').waitFor();
  await page.getByRole('radio', { name: 'Move', exact: true }).click();
  const box = await page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const touchPoints = [{ x: box.x + (3.5 * box.width) / 8, y: box.y + (4.5 * box.height) / 8 }];
  const session = await page.context().newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await page.locator('.gmo-board .asked').waitFor();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  // It was a question, not the beginning of a move.
  await page.getByRole('button', { name: 'Open d4 in the editor' }).waitFor();
  person.behaves();
  await person.leave();
});

test('a link carries board and DNA to somebody else, and another one into the same tab', async () => {
  const giver = await openLab({ permissions: ['clipboard-read', 'clipboard-write'] });
  await editor(giver).fill(HOPPER);
  await giver.page.getByRole('img', { name: /^Block 1 from d4/ }).waitFor();
  await press(giver, 'c3');
  await press(giver, 'd3');
  await giver.page.locator('[data-square="d3"]').waitFor();
  expect(await giver.page.locator('[data-square="c3"]').count()).toBe(1);
  await giver.presses('Share');
  await giver.sees('The link is copied.');
  const link = await giver.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(giver.page.url());

  const taker = await openLab();
  await editor(taker).fill('AHH my own');
  await taker.page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await taker.page.locator('[data-square="c3"]').waitFor();
  await holds(taker, HOPPER);
  await taker.presses('Undo');
  await holds(taker, 'AHH my own');
  expect(await taker.page.locator('[data-square="c3"]').count()).toBe(0);
  for (const person of [giver, taker]) {
    person.behaves();
    await person.leave();
  }
});

test('DNA is opened from a file and saved to one; what is too long is refused', async () => {
  const person = await openLab();
  const { page } = person;
  const choose = (text: string): Promise<void> =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'piece.dna', mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose(`${HOPPER}\n`);
  await holds(person, HOPPER);
  await choose('A'.repeat(4097));
  await person.sees(/^E_INPUT_TOO_LONG/);
  await holds(person, HOPPER);
  const [download] = await Promise.all([page.waitForEvent('download'), person.presses('Save file')]);
  expect(download.suggestedFilename()).toBe('piece.dna');
  expect(readFileSync(await download.path(), 'utf8')).toBe(`${HOPPER}\n`);
  person.behaves();
  await person.leave();
});

test('the tour leads through the code, and gives back what was in the editor', async () => {
  const person = await openLab();
  await editor(person).fill('AHH my own');
  await person.presses('Guided tour');
  const tour = person.page.getByRole('region', { name: 'Guided tour' });
  await holds(person, 'AHH HAC HAA CHA CHA CHA HHA SAS');
  for (let step = 2; step <= 8; step += 1) {
    await tour.getByRole('button', { name: 'Next' }).click();
    await tour.getByText(`Step ${step} of 8`).waitFor();
    // Every step brings a genome that is right.
    await person.page.getByRole('img', { name: /^Block 1 from d4/ }).waitFor();
  }
  await tour.getByRole('button', { name: 'Done' }).click();
  await tour.waitFor({ state: 'detached' });
  for (let step = 1; step <= 8; step += 1) await person.presses('Undo');
  await holds(person, 'AHH my own');
  person.behaves();
  await person.leave();
});

test('a block that only takes shows where, and one asks of a piece without losing the DNA', async () => {
  const person = await openLab();
  const { page } = person;
  await press(person, 'a1');
  await page.locator('[data-square="a1"]').waitFor();
  const pawnLike = 'AHH HSH HAA HHH HHH CHA HHA SAS AHH HSH HAC HHH CHA HHH HHA CAS SAS';
  await editor(person).fill(pawnLike);
  const second = (square: string) =>
    page.getByRole('img', { name: `Block 2 from ${square}: squares to move to 0, to take on 4, onto own pieces 0` });
  await second('d4').waitFor();
  await page.getByLabel('Seen from').selectOption('e5');
  await second('e5').waitFor();
  await press(person, 'a1', 'right');
  await page.locator('.gmo-board .asked').waitFor();
  await holds(person, pawnLike);
  await person.presses('Open a1 in the editor');
  await expect.poll(() => editor(person).inputValue()).toContain('SAS AAA AAA AAA');
  await person.presses('Undo');
  await holds(person, pawnLike);
  await editor(person).fill('AHH');
  await page.getByText('E_TRUNCATED').first().waitFor();
  await press(person, 'h8');
  await person.sees('The DNA in the editor is not valid');
  person.behaves();
  await person.leave();
});

test('a pawn becomes a genome of my library', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  const api = { white: white.page.request, black: black.page.request };
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const created = await api.white.post('/api/v1/challenges', { data: { variant: 'gmo', time, color: 'white' } });
  const { id } = (await created.json()) as { id: string };
  await api.black.post(`/api/v1/challenges/${id}/acceptance`);
  const store = async (path: string, text: string, name: string): Promise<string> => {
    const stored = await api.white.post(`/api/v1/gmo/${path}`, { data: { text, name } });
    return ((await stored.json()) as { code: string }).code;
  };
  await store('genomes', HOPPER.replace('HHH', 'CHA'), 'Frog');
  const ferry = await store('genomes', FERRY, 'Ferry');
  const preset = await store('presets', `${ferry}-knight-bishop-queen-king-bishop-knight-rook`, 'Ferry');
  await api.white.post(`/api/v1/games/${id}/army`, { data: { preset, kings: ['e1'] } });
  await api.black.post(`/api/v1/games/${id}/army`, { data: { preset: 'classic', kings: ['e8'] } });
  // The ferry fetches the pawn: it changes places with it, goes to the last rank, and changes places again.
  const moves = ['a1a2', 'e7e6', 'a2a7', 'd7d6', 'a7a8', 'c7c6', 'a8a1'];
  for (const [ply, uci] of moves.entries()) {
    const played = await (ply % 2 === 0 ? api.white : api.black).post(`/api/v1/games/${id}/moves`, {
      data: { ply, uci },
    });
    if (!played.ok()) throw new Error(`${uci} was refused: ${await played.text()}`);
  }
  await black.page.goto(`/${id}`);
  await white.page.goto(`/${id}`);
  const choice = white.page.getByRole('region', { name: 'The pawn on a8 becomes …' });
  await choice.getByRole('button', { name: 'Frog' }).click();
  await choice.waitFor({ state: 'detached' });
  const last = black.page.locator('section[aria-label="Moves"] button').last();
  await expect.poll(() => last.textContent(), { timeout: 15_000 }).toMatch(/^=a8/);
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('while an event of hidden rules runs, its players find everything out for themselves', async () => {
  const anna = await Person.arrive(browser, server.url);
  await signUp(anna, `Anna${++members}`);
  const { page } = anna;
  const ask = async <T>(person: Person, path: string, data: unknown, method = 'POST'): Promise<T> => {
    const answer = await person.page.context().request.fetch(`/api/v1/events${path}`, { method, data });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const pace = { automatic: false, no_show_seconds: 60 };
  const regulations = { system: 'round_robin', variant: 'gmo', online: true, hidden_rules: true, pace };
  const { id } = await ask<EventView>(director, '', { name: 'Find it out', regulations });
  const goTo = (state: string) => ask(director, `/${id}/state`, { state }, 'PUT');
  await goTo('registration');
  for (const person of [anna, director]) await ask(person, `/${id}/entry`, {});
  await goTo('running');
  await page.goto('/lab');
  await anna.sees('An event of hidden rules is running');
  await editor(anna).fill(HOPPER);
  await anna.sees('A valid genome, code');
  expect(await page.getByRole('img', { name: /^Block/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Guided tour' }).count()).toBe(0);
  await editor(anna).fill('AHH AAA');
  await page.locator('#dna-told', { hasText: /E_OWNER\s+at codon 2\s*$/ }).waitFor();
  await page.goto('/rules/gmo');
  await page.getByRole('heading', { name: 'Find it out for yourselves' }).waitFor();
  anna.behaves();
  await anna.leave();
});
