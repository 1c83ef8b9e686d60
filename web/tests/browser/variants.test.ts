// ChessDefender and the lab as people use them: a shelf, both phases, positions that are made, DNA that is written and
// broken.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GameView, Variant } from '../../src/lib/api/types';
import { QUICK, setUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
let boss: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
});

afterAll(async () => {
  await boss?.leave();
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
  await white.page.getByRole('link', { name: 'Chess only' }).waitFor();
  await part(white, black);
});

/** Where a square is on the screen of whoever has White. */
async function middleOf({ page }: Person, square: string): Promise<{ x: number; y: number }> {
  const box = await page.locator('cg-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const [column, row] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
  return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
}

test('a piece is dragged from the shelf, and one is placed by keys alone', async () => {
  const [white, black] = await sitDownTo('defender', '8/8/8/8/8/8/8/8 w - - 0 1 7/5');
  await white.sees('Take a piece and place it in your zone.');
  const rook = white.page.getByRole('button', { name: /^Rook, / });
  const from = await rook.boundingBox();
  if (from === null) throw new Error('there is no shelf');
  const to = await middleOf(white, 'c2');
  await white.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await white.page.mouse.down();
  await white.page.mouse.move(to.x, to.y, { steps: 6 });
  await white.page.mouse.up();
  await black.reads('R@c2');

  // While the other acts, what can be paid looks different from what cannot.
  await white.sees('Your opponent is placing.');
  expect(await white.page.getByRole('button', { name: /^Pawn, / }).isEnabled()).toBe(true);
  expect(await rook.isDisabled()).toBe(true);

  await black.page.getByRole('button', { name: /^Knight, / }).focus();
  await black.page.keyboard.press('Enter');
  const onSquare = (square: string) => black.page.getByRole('button', { name: `Knight to ${square}`, exact: true });
  // The keys go on to the board, where arrows walk over the lit squares.
  await expect.poll(() => black.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('button');
  await onSquare('d7').focus();
  await black.page.keyboard.press('ArrowLeft');
  await black.page.keyboard.press('ArrowUp');
  await black.page.locator('[data-square="e6"]:focus').waitFor();
  await black.page.keyboard.press('Enter');
  await white.reads('R@c2', 'N@e6');
  await black.page.locator('section[aria-label="Pieces to place"]:focus').waitFor();
  await part(white, black);
});

test('two at one computer read the points by colour', async () => {
  const both = await Person.arrive(browser, server.url);
  const seat = (name: string) => ({ kind: 'guest', name });
  const begun = await both.page.context().request.post('/api/v1/one-computer', {
    data: { variant: 'defender', time: { kind: 'unlimited' }, white: seat('Rook'), black: seat('Knight') },
  });
  expect(begun.ok()).toBe(true);
  await both.page.goto(`/${((await begun.json()) as { id: string }).id}`);
  const shelf = both.page.getByRole('region', { name: 'Pieces to place' });
  await expect.poll(() => shelf.locator('.points').innerText()).toMatch(/^White 20 points\s+Black 20 points$/);
  await place(both, 'Queen', 'd1');
  await expect.poll(() => shelf.locator('.points').innerText()).toMatch(/^White 11 points\s+Black 20 points$/);
  await part(both);
});

test('the history has a picture of how both had set up', async () => {
  const other = await Person.arrive(browser, server.url);
  const { request } = boss.page;
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const start = '8/8/8/8/8/8/8/8 w - - 0 1 5/5';
  const created = await request.post('/api/v1/challenges', {
    data: { variant: 'defender', time, color: 'white', start },
  });
  const { id } = (await created.json()) as { id: string };
  await other.page.request.post(`/api/v1/challenges/${id}/acceptance`);
  for (const uci of ['N@f3', 'R@d8', 'P@e2', '--', 'K@g1', 'K@g8', 'f3d2', 'd8d2']) {
    const { ply, to_act } = (await (await request.get(`/api/v1/games/${id}`)).json()) as GameView;
    const mover = to_act === 'white' ? request : other.page.request;
    const played = await mover.post(`/api/v1/games/${id}/moves`, { data: { ply, uci } });
    if (!played.ok()) throw new Error(`${uci} was refused: ${await played.text()}`);
  }
  await other.page.request.post(`/api/v1/games/${id}/resignation`);
  await boss.page.goto('/@/Caretaker');
  const game = boss.page.locator('article').filter({ has: boss.page.locator(`a[href="/${id}"]`) });
  await game.getByText('Set-up').waitFor();
  expect(await game.locator('.set-up piece').count()).toBe(5);
  // On the last board the rook has taken the knight.
  expect(await game.locator('.board > .mini-board piece').count()).toBe(4);
  boss.behaves(/status of 4/);
  await part(other);
});

test('an administrator makes a position in the browser, and it can be played', async () => {
  const { page } = boss;
  await page.goto('/defender');
  await page.locator('.positions > a').nth(6).waitFor();
  const before = await page.locator('.positions > a').count();
  await page.getByRole('link', { name: 'New position' }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
  // A board without a king is nothing to play against: the server says so, and what was set stays.
  await page.getByRole('radio', { name: 'Black rook' }).click();
  await page.getByRole('button', { name: 'a8 empty' }).click();
  await boss.presses('Save');
  await page.locator('[role="alert"] p').first().waitFor();
  await page.getByRole('radio', { name: 'Black king' }).click();
  await page.getByRole('button', { name: 'e8 empty' }).click();
  await boss.sees('2 of 16 pieces');
  await page.getByLabel('Par', { exact: true }).fill('9');
  await boss.presses('Save');
  await boss.sees('Par is 9 points.');
  await boss.sees('You play White.');
  await page.getByRole('button', { name: 'Place your pieces' }).waitFor();
  await page.goto('/defender');
  await expect.poll(() => page.locator('.positions > a').count()).toBe(before + 1);
  boss.behaves(/status of 4/);
});

test('in the lab DNA is written, seen to move, broken, and its error read', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/lab');
  const dna = person.page.getByLabel('DNA', { exact: true });
  await person.page.getByText('1c1736').first().waitFor();
  await dna.fill('');
  await dna.pressSequentially('AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA');
  const reach = 'Block 1 from d4: squares to move to 14, to take on 14, onto own pieces 14';
  await person.page.getByRole('img', { name: reach }).waitFor();
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
