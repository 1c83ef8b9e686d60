// What members do to each other: rated games, questions to one player, games that nobody else sees; and claims.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewChallenge } from '../../src/lib/api/types';
import { QUICK, signUp } from './member';
import { openBrowser, Person, sitDown, sitDownWith } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

async function member(name: string): Promise<Person> {
  const person = await Person.arrive(browser, server.url);
  await signUp(person, name);
  return person;
}

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

/** Asks the server as this person; gives the answer. */
async function get<T>(person: Person, path: string): Promise<T> {
  const answer = await person.page.context().request.get(path);
  return (await answer.json()) as T;
}

/** A game between two on these terms; the first has White. */
async function begin(white: Person, black: Person, terms: NewChallenge): Promise<string> {
  const created = await white.page.context().request.post('/api/v1/challenges', { data: terms });
  const { id } = (await created.json()) as { id: string };
  await white.page.goto(`/${id}`);
  await black.accept(`${server.url}/${id}`);
  await Promise.all([white.sits(), black.sits()]);
  return id;
}

const BLITZ = { kind: 'fischer', initial_ms: 300_000, increment_ms: 0 } as const;

test('a rated game changes both ratings once, and says from where to where', async () => {
  const [anna, berta] = [await member('anna'), await member('berta')];
  await begin(anna, berta, { kind: 'link', time: BLITZ, color: 'white', rated: true });
  await anna.sees('Rated');
  await anna.sees(/1500\?/);
  await anna.type('f2f3');
  await berta.reads('f3');
  await anna.sees('A00 Barnes Opening');
  await berta.type('e7e5');
  await anna.reads('f3', 'e5');
  await anna.type('g2g4');
  await berta.reads('f3', 'e5', 'g4');
  await berta.type('d8h4');
  await anna.sees('You lost');
  for (const person of [anna, berta]) {
    const dialog = person.page.getByRole('dialog');
    await dialog.getByText('1500 → 1259?').waitFor();
    await dialog.getByText('1500 → 1741?').waitFor();
    await dialog.getByText('Checkmate').waitFor();
    await dialog.getByRole('button', { name: 'Rematch' }).waitFor();
    await dialog.getByRole('button', { name: 'New opponent' }).waitFor();
    await dialog.getByRole('link', { name: 'Analyse' }).waitFor();
  }
  interface Pools {
    pools: { rating: number; games: number }[];
  }
  const { pools } = await get<Pools>(anna, '/api/v1/players/berta');
  expect(pools).toMatchObject([{ rating: 1741, games: 1 }]);
  await part(anna, berta);
});

test('a question to one player is announced to them, and a no comes back with its reason', async () => {
  const [carla, doris] = [await member('carla'), await member('doris')];
  await doris.page.goto('/watch');
  await carla.page.goto('/');
  await carla.page.getByRole('tab', { name: 'Play a friend' }).click();
  await carla.page.getByRole('radio', { name: '1+0' }).check();
  await carla.page.getByLabel("Your friend's name").fill('doris');
  await carla.presses('Send the challenge');
  await doris.sees('carla challenges you to a game');
  await doris.page.goto('/');
  await doris.presses('Decline');
  await doris.presses('Too fast for me');
  await carla.sees('doris declined');
  await carla.sees('Too fast for me');
  await part(carla, doris);
});

test('a private game is invisible to a third browser', async () => {
  const [white, black] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  const stranger = await Person.arrive(browser, server.url);
  await white.page.goto('/');
  await white.page.getByRole('tab', { name: 'Play a friend' }).click();
  await white.page.getByRole('radio', { name: 'White' }).check();
  await white.page.getByLabel('Only we two see the game').check();
  await white.sees('nobody can watch it');
  await white.presses('Create the game');
  const link = await white.page.getByLabel('Link to this game').inputValue();
  await stranger.page.goto(new URL(link).pathname);
  await stranger.sees('Private');
  await black.accept(link);
  await Promise.all([white.sits(), black.sits()]);
  await white.type('e2e4');
  await black.reads('e4');
  await white.page.getByTitle('Private: only the players see this game').waitFor();
  await stranger.page.goto(new URL(link).pathname);
  await stranger.sees('There is no game here');
  await stranger.page.goto('/watch');
  expect(await stranger.page.locator(`a[href="${new URL(link).pathname}"]`).count()).toBe(0);
  stranger.behaves(/404/);
  await stranger.leave();
  await part(white, black);
});

test('a position that comes up for the third time is a draw', async () => {
  const [white, black] = await sitDown(browser, server.url);
  const dance = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  const written: string[] = [];
  for (const san of [...dance, ...dance]) {
    const [mover, other] = written.length % 2 === 0 ? [white, black] : [black, white];
    await mover.type(san);
    written.push(san);
    await other.reads(...written);
  }
  for (const person of [white, black]) await person.sees('The same position came up three times');
  await part(white, black);
});

test('the game of somebody who has left can be claimed, after a while', async () => {
  const time = { kind: 'fischer', initial_ms: 60_000, increment_ms: 0 } as const;
  const [white, black] = await sitDownWith(browser, server.url, time);
  await white.type('e2e4');
  await black.reads('e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  await white.type('g1f3');
  await black.reads('e4', 'e5', 'Nf3');
  await black.leave();
  await white.sees(/Your opponent has left. You may claim/);
  await white.page.getByRole('button', { name: 'Claim the win' }).click({ timeout: 30_000 });
  await white.sees('You won');
  await part(white);
});

test('a takeback gives the clock back', async () => {
  const time = { kind: 'fischer', initial_ms: 60_000, increment_ms: 0 } as const;
  const [white, black] = await sitDownWith(browser, server.url, time);
  await white.type('e2e4');
  await black.reads('e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
  const clock = white.page.getByRole('timer', { name: "White's clock" });
  await expect.poll(() => clock.textContent(), { timeout: 15_000 }).toMatch(/^0:5[0-2]/);
  await white.type('d2d4');
  await black.reads('e4', 'e5', 'd4');
  const before = await clock.textContent();
  await white.presses('Ask to take back');
  await black.presses('Accept');
  await white.reads('e4', 'e5');
  await expect.poll(() => clock.textContent(), { timeout: 3_000 }).toMatch(/^(1:00|0:5[6-9])/);
  expect(before).toMatch(/^0:5[0-4]/);
  await part(white, black);
});
