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

/** Asks for the report of a game of so many moves, and looks at its graph and at the numbers of both players. */
async function analyse(person: Person, moves: number): Promise<void> {
  await person.presses('Analyse this game');
  const graph: Locator = person.page.getByRole('slider', { name: 'Evaluation over the game' });
  await graph.waitFor({ timeout: 180_000 });
  expect(await graph.getAttribute('aria-valuemax')).toBe(String(moves));
  const line = graph.locator('path.line');
  const drawn = (await line.getAttribute('d')) ?? '';
  expect(drawn).toMatch(/^M[\d.]+ [\d.]+(L[\d.]+ [\d.]+)*$/);
  expect(drawn.split('L'), 'the first position and one after each move').toHaveLength(moves + 1);
  expect((await line.boundingBox())?.width).toBeGreaterThan(100);
  const accuracy = person.page.getByRole('row', { name: /^Accuracy/ }).getByRole('cell');
  for (const text of await accuracy.allTextContents()) expect(text).toMatch(/^\d+\.\d %$/);
  expect(await accuracy.count()).toBe(2);
}

/** What the server tells of a game, as far as it matters here. */
interface Seen {
  fen: string;
  to_act: 'white' | 'black' | null;
  dests: string;
  moves: unknown[];
  outcome: { kind: string; by: string } | null;
}

const look = async (person: Person, id: string): Promise<Seen> =>
  (await (await person.page.request.get(`/api/v1/games/${id}`)).json()) as Seen;

/** What an engine of the club would play, asked over a socket of its own. */
const askEngine = (person: Person, fen: string): Promise<string> =>
  person.page.evaluate(
    (start) =>
      new Promise<string>((found, fail) => {
        const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`);
        const question = { t: 'analyse', id: 1, position: { start }, lines: 1, aim: 'hint' };
        socket.onopen = () => socket.send(JSON.stringify(question));
        socket.onerror = () => fail(new Error('the socket has failed'));
        socket.onmessage = ({ data }) => {
          const said = JSON.parse(data as string) as { t: string; state?: { kind: string; best: string } };
          if (said.t !== 'analysis_state' || said.state === undefined) return;
          if (said.state.kind === 'done') found(said.state.best);
          else if (said.state.kind === 'refused') fail(new Error(JSON.stringify(said.state)));
          else return;
          socket.close();
        };
      }),
    fen,
  );

test('level 1 is played from the first move to an end by the rules, and the graph of the game is drawn', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/');
  await person.page.getByRole('tab', { name: 'Computer' }).click();
  await person.page.getByRole('radio', { name: '1', exact: true }).check();
  await person.presses('Play level 1');
  await person.sits();
  const id = new URL(person.page.url()).pathname.slice(1);
  const mayAct = ({ to_act, outcome }: Seen): boolean => to_act === 'white' || outcome !== null;
  let seen = await look(person, id);
  while (seen.outcome === null) {
    await person.type(await askEngine(person, seen.fen));
    const before = seen.moves.length;
    const isAnswered = async (): Promise<boolean> => {
      seen = await look(person, id);
      return seen.moves.length > before && mayAct(seen);
    };
    await expect.poll(isAnswered, { timeout: 60_000, interval: 100 }).toBe(true);
  }
  const byRule = ['mate', 'time', 'stalemate', 'dead_position', 'threefold', 'fivefold', 'fifty', 'cannot_mate'];
  expect(byRule).toContain(seen.outcome.by);
  await person.sees(/You won|You lost|Draw/);
  await analyse(person, seen.moves.length);
  person.behaves();
  await person.leave();
}, 600_000);

test('level 1 is played against for a while, explained, and plays again', async () => {
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
  await analyse(person, 4);
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
  await analyse(person, 7);
  person.behaves();
  await person.leave();
});

test('level 1 brings an army of its own to a game of GMO', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/');
  await person.page.getByRole('tab', { name: 'Computer' }).click();
  await person.page.getByRole('radio', { name: '1', exact: true }).check();
  await person.page.getByLabel('Game', { exact: true }).selectOption('gmo');
  await person.presses('Play level 1');
  await person.presses('Hand in');
  await person.page.locator('.gmo-board .piece').first().waitFor();
  // The knight goes out and comes home, where nobody can hinder it.
  for (const [move, moves] of [
    ['b1c3', 2],
    ['c3b1', 4],
  ] as const) {
    await person.type(move);
    await expect.poll(() => written(person), { timeout: 60_000 }).toBe(moves);
    // A queen may have frozen the game.
    await person.page.getByText(/^Frozen for/).waitFor({ state: 'hidden' });
  }
  await person.presses('Resign');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await person.sees('You lost');
  person.behaves();
  await person.leave();
});

test('level 1 places its pieces too, and plays on with them', async () => {
  const person = await Person.arrive(browser, server.url);
  const { page } = person;
  const start = '8/8/8/8/8/8/8/8 w - - 0 1 5/5';
  const asked = { kind: 'direct', asked: 'Rook-1', variant: 'defender', time: { kind: 'unlimited' }, color: 'white' };
  const made = await page.request.post('/api/v1/challenges', { data: { ...asked, start } });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/${id}`);
  await page.getByRole('button', { name: /^Rook, / }).click();
  await page.getByRole('button', { name: 'Rook to d1', exact: true }).click();
  // All is spent: the computer places what it likes, then come the kings.
  await page
    .getByRole('button', { name: /^King, / })
    .and(page.locator(':enabled'))
    .click({ timeout: 60_000 });
  await page
    .getByRole('button', { name: /^King to / })
    .first()
    .click();
  let seen = await look(person, id);
  const mayMove = async (): Promise<boolean> => {
    seen = await look(person, id);
    return seen.to_act === 'white' && !seen.dests.includes('@');
  };
  await expect.poll(mayMove, { timeout: 60_000, interval: 100 }).toBe(true);
  const before = seen.moves.length;
  await person.type(seen.dests.slice(0, 4));
  await expect.poll(() => written(person), { timeout: 60_000 }).toBe(before + 2);
  await person.presses('Resign');
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await person.sees('You lost');
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
