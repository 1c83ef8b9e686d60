// A game against the computer, from the front page to its end.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** How many moves stand on the score sheet. */
const written = (person: Person): Promise<number> => person.page.locator('section[aria-label="Moves"] button').count();

/** Asks for the report of the game, and gives its graph. */
async function analyse(person: Person): Promise<Locator> {
  await person.presses('Analyse this game');
  const graph = person.page.getByRole('slider', { name: 'Evaluation over the game' });
  await graph.waitFor({ timeout: 60_000 });
  await person.sees('Accuracy');
  return graph;
}

test('level 1 is played to the end, explained, and plays again', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/');
  await person.page.getByRole('tab', { name: 'Computer' }).click();
  await person.page.getByRole('radio', { name: '1', exact: true }).check();
  await person.sees('Has just learned the moves');
  await person.presses('Play level 1');
  await person.sits();
  await person.sees('Rook-1');
  await person.sees('BOT');
  // Two moves that can be played whatever the other side does, each answered by the computer.
  for (const [move, moves] of [
    ['a2a3', 2],
    ['h2h3', 4],
  ] as const) {
    await person.type(move);
    await expect.poll(() => written(person), { timeout: 30_000 }).toBe(moves);
  }
  await person.presses('Resign');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await person.sees('You lost');
  const graph = await analyse(person);
  expect(await graph.getAttribute('aria-valuemax')).toBe('4');
  await person.page.getByRole('button', { name: 'Rematch' }).first().click();
  // The bot agrees, has White now, and moves first.
  await expect.poll(() => written(person), { timeout: 30_000 }).toBe(1);
  person.behaves();
  await person.leave();
});

/** Two rooks drive the king up the board, whatever it does: it cannot come near them in time. */
const LADDER = { start: '8/8/7k/8/R7/8/8/1R4K1 w - - 0 1', moves: ['b1b5', 'a4a6', 'b5b7', 'a6a8'] };

test('level 1 is mated, and the report shows how it went', async () => {
  const person = await Person.arrive(browser, server.url);
  const asked = { kind: 'direct', asked: 'Rook-1', time: { kind: 'unlimited' }, color: 'white', start: LADDER.start };
  const made = await person.page.request.post('/api/v1/challenges', { data: asked });
  const { id } = (await made.json()) as { id: string };
  await person.page.goto(`/${id}`);
  await person.sits();
  for (const [index, move] of LADDER.moves.entries()) {
    await expect.poll(() => written(person), { timeout: 60_000 }).toBe(2 * index);
    await person.type(move);
  }
  await person.sees('You won');
  const graph = await analyse(person);
  expect(await graph.getAttribute('aria-valuemax')).toBe('7');
  person.behaves();
  await person.leave();
});

test('a bot says what it is on its page, and the way to a game is one press', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/@/Rook-3');
  await person.sees('The computer, level 3 of 8');
  await person.page.getByRole('link', { name: 'Play against it' }).click();
  expect(await person.page.getByRole('radio', { name: '3', exact: true }).isChecked()).toBe(true);
  await person.presses('Play level 3');
  await person.sits();
  person.behaves();
  await person.leave();
});
