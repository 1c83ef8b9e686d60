// Games of days at the screen: by keyboard and ear alone, with a second press before anything is sent, and moves
// written in everybody's own letters.
import type { Browser, Locator, Page } from 'playwright-core';
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
  // What was typed is asked about once more; whoever thinks better of it types on where they were.
  const question = white.page.getByRole('dialog', { name: 'Play this move?' });
  await white.page.keyboard.type('Nc3');
  await white.page.keyboard.press('Enter');
  await question.getByText('Nc3').waitFor();
  await white.page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await isReached()).toBe(true);
  await white.page.keyboard.type('Nf3');
  await white.page.keyboard.press('Enter');
  await question.getByText('Nf3').waitFor();
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

test('a draw and a takeback are asked for and answered in a game of days', async () => {
  const [white, black, id] = await slowGame({});
  for (const [ply, uci] of ['e2e4', 'e7e5', 'd1h5'].entries()) {
    await post(ply % 2 === 0 ? white : black, `/games/${id}/moves`, { ply, uci });
  }
  await Promise.all([white.page.goto(`/${id}`), black.page.goto(`/${id}`)]);
  await Promise.all([white.sits(), black.sits()]);
  await white.presses('Ask to take back');
  await white.sees('You asked to take back');
  await black.sees('Your opponent asks to take back');
  await black.presses('Decline');
  await white.page.getByText('You asked to take back').waitFor({ state: 'detached' });
  await white.reads('e4', 'e5', 'Qh5');
  await black.presses('Ask to take back');
  await white.sees('Your opponent asks to take back');
  await white.presses('Accept');
  await black.reads('e4');
  await black.type('c5');
  await black.page.getByRole('dialog', { name: 'Play this move?' }).getByText('c5').waitFor();
  await black.page.keyboard.press('Enter');
  await white.reads('e4', 'c5');
  await white.presses('Draw');
  // The offer waits for somebody who is not at the board.
  await black.page.goto('/inbox');
  await black.sees('offers a draw');
  await black.page.getByRole('main').getByRole('link', { name: 'Open the game' }).click();
  await black.sees('Your opponent offers a draw');
  await black.presses('Accept');
  await white.sees('Agreed by both players');
  await part(white, black);
});

test('a conditional move is entered by the mouse', async () => {
  const [white, black, id] = await slowGame({});
  await post(white, `/games/${id}/moves`, { ply: 0, uci: 'e2e4' });
  await white.page.goto(`/${id}`);
  await white.sits();
  await white.page.getByRole('tab', { name: 'Desk' }).click();
  await white.presses('Add a line');
  const dialog = white.page.getByRole('dialog', { name: 'Conditional moves' });
  await dialog.locator('cg-board piece').first().waitFor();
  /** Clicks on both squares of a move, seen from White's side. */
  const move = async (uci: string): Promise<void> => {
    const box = await dialog.locator('cg-board').boundingBox();
    if (box === null) throw new Error('there is no board');
    for (const square of [uci.slice(0, 2), uci.slice(2)]) {
      const [column, row] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
      await white.page.mouse.click(box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8);
    }
  };
  await dialog.getByText('If they play').waitFor();
  await move('e7e5');
  await dialog.getByText('… then I play').waitFor();
  await move('g1f3');
  await dialog.getByText('e5 Nf3').waitFor();
  await dialog.getByRole('button', { name: 'Keep this line' }).click();
  await white.sees('e5 Nf3');
  await post(black, `/games/${id}/moves`, { ply: 1, uci: 'e7e5' });
  await white.page.getByRole('tab', { name: 'Moves' }).click();
  await white.reads('e4', 'e5', 'Nf3');
  await part(white, black);
});

test('a conditional line branches and is changed, by the keyboard alone', async () => {
  const [white, black, id] = await slowGame({});
  await post(white, `/games/${id}/moves`, { ply: 0, uci: 'e2e4' });
  await white.page.goto(`/${id}`);
  await white.sits();
  const { page } = white;
  await page.getByRole('tab', { name: 'Desk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Conditional moves' });
  const input = dialog.getByLabel('Type a move');
  const press = async (name: string | RegExp, within: Page | Locator = dialog): Promise<void> => {
    await within.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  /** What the dialog has come to. */
  const stands = (line: string): Promise<void> => expect.poll(() => dialog.locator('.line').textContent()).toBe(line);
  /** Goes on from where the dialog is, and keeps it. */
  const plan = async (before: string, ...moves: string[]): Promise<void> => {
    let line = before;
    for (const move of moves) {
      await input.focus();
      await page.keyboard.type(move);
      await page.keyboard.press('Enter');
      line = `${line} ${move}`.trim();
      await stands(line);
    }
    await press('Keep this line');
    await dialog.waitFor({ state: 'detached' });
  };
  const lines = (): Promise<string[]> => page.locator('#desk-panel ol .moves').allTextContents();
  await press('Add a line', page);
  await stands('…');
  await plan('', 'e5', 'Nf3', 'Nc6', 'Bb5');
  await expect.poll(lines).toEqual(['e5 Nf3 Nc6 Bb5']);
  // Another move of the other side is a branch …
  await press(/^Branch/, page);
  await stands('e5 Nf3 Nc6 Bb5');
  for (const left of ['e5 Nf3 Nc6', 'e5 Nf3']) {
    await press('Take back');
    await stands(left);
  }
  await plan('e5 Nf3', 'd6', 'd4');
  await expect.poll(lines).toEqual(['e5 Nf3 Nc6 Bb5', '… d6 d4']);
  // … another of my own takes the place of the first.
  await press('Branch e5 Nf3 Nc6 Bb5', page);
  await stands('e5 Nf3 Nc6 Bb5');
  await press('Take back');
  await stands('e5 Nf3 Nc6');
  await input.focus();
  await page.keyboard.type('Bc4');
  await page.keyboard.press('Enter');
  await dialog.getByText('This line takes the place of: e5 Nf3 Nc6 Bb5').waitFor();
  await press('Keep this line');
  await expect.poll(lines).toEqual(['e5 Nf3 d6 d4', '… Nc6 Bc4']);
  await page.getByRole('tab', { name: 'Moves' }).click();
  await post(black, `/games/${id}/moves`, { ply: 1, uci: 'e7e5' });
  await white.reads('e4', 'e5', 'Nf3');
  await post(black, `/games/${id}/moves`, { ply: 3, uci: 'd7d6' });
  await white.reads('e4', 'e5', 'Nf3', 'd6', 'd4');
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

test('a promotion of GMO in a game of days can be thought over', async () => {
  const [white, black, id] = await slowGame({ variant: 'gmo' });
  for (const [person, king] of [
    [white, 'e1'],
    [black, 'e8'],
  ] as const) {
    await post(person, `/games/${id}/army`, { preset: 'classic', kings: [king] });
  }
  const moves = 'a2a3 h7h6 a3a4 h6h5 a4a5 h5h4 a5a6 g7g6 a6b7 g6g5 b7a8'.split(' ');
  for (const [ply, uci] of moves.entries()) {
    await post(ply % 2 === 0 ? white : black, `/games/${id}/moves`, { ply, uci });
  }
  await Promise.all([white.page.goto(`/${id}`), black.page.goto(`/${id}`)]);
  for (const [name, answer] of [
    ['knight', 'Take it back'],
    ['queen', 'Play it'],
  ] as const) {
    await white.page.getByRole('button', { name, exact: true }).click();
    await white.page.getByRole('dialog', { name: 'Play this move?' }).getByText(`a8: ${name}`).waitFor();
    await white.presses(answer);
  }
  await black.sees('Your turn');
  expect(await white.page.getByText('The pawn on a8 becomes').count()).toBe(0);
  await part(white, black);
});

/** Knight and bishop, a capture en passant, a promotion. */
const WRITTEN: ReadonlyArray<readonly [Notation, string, string, string, string]> = [
  ['en', 'Nf6', 'Bg7', 'exd6', 'cxb8Q'],
  ['cs', 'Jf6', 'Sg7', 'exd6\u00a0e.p.', 'cxb8D'],
  ['sk', 'Jf6', 'Sg7', 'exd6\u00a0e.p.', 'cxb8D'],
  ['pl', 'Sf6', 'Gg7', 'exd6\u00a0e.p.', 'cxb8H'],
  ['de', 'Sf6', 'Lg7', 'exd6\u00a0e.p.', 'cxb8D'],
  ['es', 'Cf6', 'Ag7', 'exd6\u00a0a.p.', 'cxb8D'],
  ['fr', 'Cf6', 'Fg7', 'exd6\u00a0e.p.', 'cxb8D'],
  ['figurine', '♘f6', '♗g7', 'exd6', 'cxb8♕'],
];

test('moves are written in the letters of every language, at the board and elsewhere', async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const seat = (name: string): object => ({ kind: 'guest', name });
  const table = { time: { kind: 'unlimited' }, white: seat('Ola'), black: seat('Kari') };
  const { id } = await post(boss, '/one-computer', table);
  const moves = 'e2e4 g8f6 e4e5 d7d5 e5d6 g7g6 d6c7 f8g7 c7b8q e8g8'.split(' ');
  for (const [ply, uci] of moves.entries()) {
    await post(boss, `/games/${id}/moves`, { ply, uci });
  }
  for (const [notation, knight, bishop, passing, promotion] of WRITTEN) {
    const answer = await boss.page.context().request.put('/api/v1/account/preferences', { data: { notation } });
    expect(answer.ok()).toBe(true);
    await boss.page.goto(`/${id}`);
    await boss.reads('e4', knight, 'e5', 'd5', passing, 'g6', 'dxc7', bishop, promotion, '0-0');
  }
  await boss.page
    .context()
    .request.put('/api/v1/account/preferences', { data: { notation: 'cs', piece_set: 'plain' } });
  await boss.page.goto(`/arbiter/${id}`);
  await boss.reads('e4', 'Jf6', 'e5', 'd5', 'exd6\u00a0e.p.', 'g6', 'dxc7', 'Sg7', 'cxb8D', '0-0');
  for (const name of ['Jf6', 'exd6 e.p.', 'cxb8D', '0-0']) {
    await boss.page.getByRole('cell', { name, exact: true }).waitFor();
  }
  await boss.page.goto(`/analysis?game=${id}`);
  await boss.page.getByRole('button', { name: 'Jf6', exact: true }).first().waitFor();
  const knight = boss.page.locator('cg-board piece.knight').first();
  await expect
    .poll(() => knight.evaluate((it) => getComputedStyle(it).backgroundImage))
    .toContain('data:image/svg+xml,');
  await part(boss);
});
