// A game of GMO chess from hidden armies to the loss of a king: mutation, freeze, promotion, and what stays secret.
import type { Browser } from 'playwright-core';
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

/** Goes like a rook, but changes places with own pieces. */
const FERRY = 'AHHHAAHCASHACHACHAHHASASAAAAAAAAA';
/** Jumps four squares straight. */
const LEAPER = 'AHHHSHHAAHHHCHACHAHHACSSSAA';
/** A rook that mutates whenever it moves. */
const CHANGELING = 'AHHHSHHCCCHACHACHAHHASASAAAAAAAAA';

/** A rook that lands beside its target and mutates. */
const STRAY = 'AHHHCCHSACHACHACHAHHASASAAAAAAAAA';

/** All that the server tells a browser, whatever the way. */
function overhear({ page }: Person): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) heard.push(await response.text().catch(() => ''));
  });
  return heard;
}

/** Stores a text under its code. */
async function store({ page }: Person, kind: 'genome' | 'preset', text: string): Promise<string> {
  const stored = await page.request.post(`/${kind}`, { data: text });
  expect(stored.ok()).toBe(true);
  return ((await stored.json()) as { code: string }).code;
}

/** Chooses an army by its code and hands it in. */
async function handIn(person: Person, preset: string): Promise<void> {
  await person.page.getByLabel('Code of a preset').fill(preset);
  await person.presses('Load');
  await person.page.getByRole('radio', { name: preset, checked: true }).waitFor();
  await person.presses('Hand in');
}

/** Asks where the piece on a square could go, as the mouse does. */
async function ask({ page }: Person, square: string, bottom: 'white' | 'black'): Promise<void> {
  const box = await page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const [column, row] = bottom === 'white' ? [file, 7 - rank] : [7 - file, rank];
  const [x, y] = [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
  await page.mouse.click(x, y, { button: 'right' });
}

/** Waits until this clock runs on a screen. */
async function runs({ page }: Person, clock: 'White' | 'Black'): Promise<void> {
  await page
    .locator('time.running')
    .and(page.getByRole('timer', { name: `${clock}'s clock` }))
    .waitFor();
}

/** The DNA that the server gives to a player for the piece on a square. */
async function knownOn({ page }: Person, id: string, square: string): Promise<string | undefined> {
  const answer = await page.request.get(`/api/v1/games/${id}/genomes`);
  const { pieces } = (await answer.json()) as { pieces: { square: string; dna: string }[] };
  return pieces.find((piece) => piece.square === square)?.dna;
}

test('a hidden-preset game goes from armies to a lost king, and nobody learns the DNA of the other', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  const heard = { white: overhear(white), black: overhear(black) };
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const created = await white.page.request.post('/api/v1/challenges', {
    data: { variant: 'gmo', time, color: 'white' },
  });
  const { id } = (await created.json()) as { id: string };
  await white.page.goto(`/${id}`);
  await black.accept(`${server.url}/${id}`);
  await black.page.getByLabel('Code of a preset').waitFor();

  const ferry = await store(white, 'genome', FERRY);
  const leaper = await store(white, 'genome', LEAPER);
  const changeling = await store(black, 'genome', CHANGELING);
  const preset = await store(white, 'preset', `${ferry}-knight-bishop-queen-king-bishop-knight-rook`);
  await handIn(white, preset);
  await white.sees('Handed in.');
  await black.sees('Your opponent has handed in and waits for you.');
  // What was handed in is there again when the page is.
  await white.page.reload();
  await white.page.getByRole('radio', { name: preset, checked: true }).waitFor();
  await white.sees('Handed in.');
  expect(await white.page.locator('.gmo-board').count()).toBe(0);
  await handIn(black, await store(black, 'preset', `rook-knight-bishop-queen-king-bishop-knight-${changeling}`));
  for (const person of [white, black]) await person.page.locator('.gmo-board .piece').first().waitFor();
  await runs(black, 'White');

  const moves: string[] = [];
  const plays = async (person: Person, move: string, written = move): Promise<void> => {
    await person.type(move);
    moves.push(written);
    for (const each of [white, black]) await each.reads(...moves);
  };
  // The ferry changes places with the pawn before it, which makes the pawn wait on the first rank.
  await plays(white, 'a1a2');
  await plays(black, 'h8h7', 'h8h7~');
  await white.sees('The piece that moved from h8 has mutated.');
  const mutant = (await knownOn(black, id, 'h7')) ?? '';
  expect(mutant).toHaveLength(CHANGELING.length);
  expect(mutant).not.toBe(CHANGELING);
  await ask(white, 'h7', 'white');
  await white.sees('You do not know this genome.');
  await plays(white, 'a2a7');
  await ask(black, 'a7', 'black');
  await black.sees('You do not know this genome.');
  await black.page.locator('.reach').first().waitFor();
  await plays(black, 'e7e6');
  await plays(white, 'a7a8');
  await plays(black, 'd8g5');
  for (const person of [white, black]) await person.sees(/Frozen for \d s/);
  // What pieces could do may be asked meanwhile.
  await ask(white, 'g5', 'white');
  await white.page.locator('.reach').first().waitFor();
  await white.type('a8a1');
  await white.page.locator('.toast').first().waitFor();
  await white.page.getByText(/Frozen for \d s/).waitFor({ state: 'hidden' });
  // From the last rank it changes places with the pawn again: the pawn has arrived, and its owner's clock goes on.
  await plays(white, 'a8a1');
  await white.page.getByRole('heading', { name: 'The pawn on a8 becomes …' }).waitFor();
  expect(await black.page.getByRole('heading', { name: /becomes …/ }).count()).toBe(0);
  await Promise.all([runs(white, 'White'), runs(black, 'White')]);
  await white.page.getByLabel('Code of a genome').fill(leaper);
  await white.presses('By code');
  await runs(black, 'Black');
  moves.push(await promotion(white));
  await black.reads(...moves);
  await plays(black, 'b7b6');

  const secrets = { white: [FERRY, ferry, LEAPER, leaper], black: [CHANGELING, changeling, mutant] };
  for (const secret of secrets.white) expect(heard.black.filter((frame) => frame.includes(secret))).toEqual([]);
  for (const secret of secrets.black) expect(heard.white.filter((frame) => frame.includes(secret))).toEqual([]);
  expect(Math.min(heard.white.length, heard.black.length)).toBeGreaterThan(10);

  await plays(white, 'a8e8');
  await white.page.getByRole('heading', { name: 'You won' }).waitFor();
  await black.page.getByRole('heading', { name: 'You lost' }).waitFor();
  // What was hidden is shown now, also in what was.
  await black.page.keyboard.press('Escape');
  expect(await knownOn(black, id, 'e8')).toBe(LEAPER);
  await ask(black, 'a1', 'black');
  await black.sees(FERRY);
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
}, 120_000);

test('a piece that strays is said to, and what was agreed to stay hidden does', async () => {
  const white = await Person.arrive(browser, server.url);
  const black = await Person.arrive(browser, server.url);
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const created = await white.page.request.post('/api/v1/challenges', {
    data: { variant: 'gmo', time, color: 'white', gmo: { reveal: 'never' } },
  });
  const { id } = (await created.json()) as { id: string };
  await white.page.goto(`/${id}`);
  await black.accept(`${server.url}/${id}`);
  await black.sees('Genomes stay hidden');
  const stray = await store(white, 'genome', STRAY);
  await handIn(white, await store(white, 'preset', `${stray}-knight-bishop-queen-king-bishop-knight-rook`));
  await black.presses('Hand in');
  for (const person of [white, black]) await person.page.locator('.gmo-board .piece').first().waitFor();
  await white.type('a1a2');
  const landings: (string | undefined)[] = [];
  for (const { page } of [white, black]) {
    const written = page.locator('section[aria-label="Moves"] button');
    await expect.poll(() => written.textContent(), { timeout: 15_000 }).toMatch(/^a1a2>[a-h][1-8]~?$/);
    const landing = ((await written.textContent()) ?? '').slice(5, 7);
    await page.getByText(`It deviated to ${landing}.`).waitFor();
    landings.push(landing);
  }
  expect(landings[0]).toBe(landings[1]);
  await black.page.getByText('Where chance comes from').click();
  expect(await black.page.getByText(/^Seed [0-9a-f]/).count()).toBe(0);
  await black.type('b8c6');
  await white.presses('Resign');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await black.page.getByRole('heading', { name: 'You won' }).waitFor();
  // The seed has come with the end; the genomes have not.
  await black.page.getByText(/^Seed [0-9a-f]/).waitFor();
  expect(await black.page.getByRole('button', { name: 'JSON' }).count()).toBe(0);
  await black.page.keyboard.press('Escape');
  await ask(black, landings[0] ?? '', 'black');
  await black.sees('You do not know this genome.');
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

/** How the score sheet writes the promotion that was just made. */
async function promotion({ page }: Person): Promise<string> {
  const last = page.locator('section[aria-label="Moves"] button').last();
  await expect.poll(() => last.textContent(), { timeout: 15_000 }).toMatch(/^=a8/);
  return (await last.textContent()) ?? '';
}
