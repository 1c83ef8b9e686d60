// ChessDefender and GMO chess as people play them: a shelf, hidden armies, a lab.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Variant } from '../../src/lib/api/types';
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

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

/** Two people at a table of a variant; the first has White. */
async function sitDownTo(variant: Variant, start?: string): Promise<[Person, Person, string]> {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const created = await white.page.context().request.post('/api/v1/challenges', {
    data: { variant, time, color: 'white', start },
  });
  const { id } = (await created.json()) as { id: string };
  await white.page.goto(`/${id}`);
  await black.accept(`${server.url}/${id}`);
  return [white, black, id];
}

/** Takes a piece from the shelf and places it, by the keyboard's and the screen reader's way. */
async function place(person: Person, piece: string, square: string): Promise<void> {
  await person.page.getByRole('button', { name: new RegExp(`^${piece}, `) }).click();
  await person.page.getByRole('button', { name: `${piece} to ${square}`, exact: true }).click();
}

test('ChessDefender is played through both phases', async () => {
  const [white, black] = await sitDownTo('defender', '8/8/8/8/8/8/8/8 w - - 0 1 5/5');
  await white.sees('Take a piece and place it in your zone.');
  expect(await white.page.getByRole('button', { name: /^Queen, / }).isDisabled()).toBe(true);
  await place(white, 'Knight', 'f3');
  await black.reads('N@f3');
  await black.sees('2 points');
  await place(black, 'Rook', 'd8');
  await place(white, 'Pawn', 'e2');
  await white.reads('N@f3', 'R@d8', 'P@e2', '--');
  await white.presses('Finish');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Finish' }).click();
  await white.sees('Now place your king on a square that is not attacked.');
  await place(white, 'King', 'g1');
  await place(black, 'King', 'g8');
  await black.reads('N@f3', 'R@d8', 'P@e2', '--', '--', '--', 'K@g1', 'K@g8');
  await white.click('f3e5', 'white');
  await black.click('d8d2', 'black');
  await white.reads('N@f3', 'R@d8', 'P@e2', '--', '--', '--', 'K@g1', 'K@g8', 'Ne5', 'Rd2');
  await black.presses('Resign');
  await black.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await white.page.getByRole('heading', { name: 'You won' }).waitFor();
  await white.page.keyboard.press('Escape');
  await white.page.getByRole('link', { name: 'PGN from the first chess move' }).waitFor();
  await part(white, black);
});

test('in the lab DNA is written, seen to move, broken, and its error read', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/lab');
  const dna = person.page.getByLabel('DNA', { exact: true });
  await person.page.getByText('1c1736').first().waitFor();
  await dna.fill('');
  await dna.pressSequentially('AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA');
  await person.page.getByRole('img', { name: 'Block 1 reaches 14 squares from d4' }).waitFor();
  const square = async (name: string): Promise<void> => {
    const box = await person.page.locator('.gmo-board').boundingBox();
    if (box === null) throw new Error('there is no board');
    const [column, row] = [name.charCodeAt(0) - 97, 8 - Number(name[1])];
    await person.page.mouse.click(box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8);
  };
  await square('a1');
  await person.page.locator('[data-square="a1"]').waitFor();
  await person.page.getByRole('radio', { name: 'Move', exact: true }).click();
  await square('a1');
  await square('a6');
  await person.page.locator('[data-square="a6"]').waitFor();
  expect(await person.page.locator('[data-square="a1"]').count()).toBe(0);
  await dna.fill('AHH HSH HAA CHA CHA CAA HHA SAS');
  await person.sees('E_EFFECT');
  await person.sees('at codon 6');
  await person.page.getByRole('button', { name: 'Undo' }).click();
  await person.page.locator('[data-square="a1"]').waitFor();
  await part(person);
});

test('armies of GMO stay hidden, and unknown DNA reaches no other browser', async () => {
  const changeling = 'AHHHSHHCCCHACHACHAHHASASAAAAAAAAA';
  const [white, black, id] = await sitDownTo('gmo');
  const heard: string[] = [];
  black.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  black.page.on('response', async (response) => {
    if (response.url().includes('/api/')) heard.push(await response.text().catch(() => ''));
  });
  // The game has begun: leaving the page before would call the acceptance back.
  await white.page.getByLabel('Code of a preset').waitFor();
  await black.page.reload();
  const request = white.page.context().request;
  const stored = await request.post('/genome', { data: changeling });
  const { code } = (await stored.json()) as { code: string };
  const text = `${code}-knight-bishop-queen-king-bishop-knight-rook`;
  const preset = (await (await request.post('/preset', { data: text })).json()) as { code: string };
  await white.page.getByLabel('Code of a preset').fill(preset.code);
  await white.presses('Load');
  await white.page.getByRole('radio', { name: preset.code }).waitFor();
  await white.presses('Hand in');
  await white.sees('Handed in.');
  await black.presses('Hand in');
  await black.page.locator('.gmo-board .piece').first().waitFor();
  await white.type('a1a2');
  await black.reads('a1a2~');
  await black.type('e7e6');
  await white.type('e2e3');
  await black.type('b8c6');
  await white.type('d1g4');
  await black.sees(/Frozen for \d s/);
  const box = await black.page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  // Black has its own side at the bottom: a2 stands in the last column, second row.
  await black.page.waitForTimeout(5_200);
  await black.page.mouse.click(box.x + (7.5 * box.width) / 8, box.y + (1.5 * box.height) / 8, { button: 'right' });
  await black.sees('You do not know this genome.');
  expect(await black.page.locator('.reach').count()).toBeGreaterThan(0);
  const mine = await request.get(`/api/v1/games/${id}/genomes`);
  const { pieces } = (await mine.json()) as { pieces: { square: string; dna: string }[] };
  const mutant = pieces.find((piece) => piece.square === 'a2')?.dna ?? '';
  expect(mutant).not.toBe('');
  expect(heard.length).toBeGreaterThan(5);
  for (const secret of [changeling, mutant, code]) {
    expect(heard.filter((frame) => frame.includes(secret))).toEqual([]);
  }
  await white.presses('Resign');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await black.page.getByRole('heading', { name: 'You won' }).waitFor();
  await part(white, black);
}, 60_000);
