// A file comes into the library: watched, searched, opened, explored, taken out again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;

/** 301 real games, the same that the rules are tested with, and one that is broken. */
const GAMES = join(import.meta.dirname, '../../../crates/rules/tests/data/pgn/masters.sample.pgn');
const BROKEN = '[White "Nobody"]\n[Black "Somebody"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n';

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

test('a file is imported, searched, opened, explored and exported', async () => {
  const anna = await Person.arrive(browser, server.url);
  const { page } = anna;
  await signUp(anna, 'Annabel');
  await page.goto('/library');
  await anna.sees('No games here yet');
  await page.getByRole('link', { name: 'Import games' }).click();
  const text = Buffer.concat([readFileSync(GAMES), Buffer.from(`\n${BROKEN}`)]);
  await page.getByLabel('Choose files').setInputFiles({ name: 'masters.pgn', mimeType: 'text/plain', buffer: text });
  await anna.sees('301 new, 0 already there, 1 with errors');
  await page.getByText('What was wrong').click();
  await anna.sees('this move is not legal here');

  await page.getByRole('link', { name: 'Show the games' }).click();
  await page.getByRole('heading', { name: '301 games' }).waitFor();
  await page.getByLabel('Opening or code').fill('sicilian');
  await page.getByLabel('Opening or code').press('Enter');
  await page
    .getByRole('heading', { name: /^\d+ games$/ })
    .filter({ hasNotText: '301' })
    .waitFor();
  // The address has the search: it is there again when the page is loaded anew.
  const found = (await page.getByRole('heading', { name: /^\d+ games$/ }).textContent()) ?? '';
  expect(new URL(page.url()).searchParams.get('opening')).toBe('sicilian');
  await page.reload();
  await page.getByRole('heading', { name: found }).waitFor();
  expect(await page.getByLabel('Opening or code').inputValue()).toBe('sicilian');
  await page.getByRole('button', { name: 'Download' }).click();
  await page.getByLabel('all tags of the file').uncheck();
  await page.getByLabel('the opening as it is recognised here').check();
  const link = page.getByRole('dialog').getByRole('link', { name: 'Download' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/\.pgn$/);
  const file = await (await page.request.get(download.url())).text();
  expect(file).toContain('1. e4 c5');
  expect(file).toContain('[Opening "Sicilian Defense');
  expect(file).not.toContain('1. d4');
  expect(file).not.toContain('WhiteElo');
  await page.keyboard.press('Escape');

  // Chosen one by one, two games go out and no more.
  await page.getByRole('button', { name: 'Choose games' }).click();
  await page.getByRole('checkbox').nth(0).check();
  await page.getByRole('checkbox').nth(1).check();
  await anna.sees('2 games chosen');
  await page.getByRole('button', { name: 'Download' }).click();
  const address = (await link.getAttribute('href')) ?? '';
  const two = await (await page.request.get(address)).text();
  expect(two.match(/^\[Event /gm)).toHaveLength(2);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Choose no more' }).click();

  // Any tag of the file can be asked for.
  const event = /^\[Event "(.+)"\]/m.exec(file)?.[1] ?? '';
  await page.getByRole('button', { name: 'More conditions' }).click();
  await page.getByLabel('Tag', { exact: true }).fill('Event');
  await page.getByLabel('Value of the tag').fill(event.toUpperCase());
  await page.getByLabel('Value of the tag').press('Enter');
  const asked = `/api/v1/library/games?opening=sicilian&tag=${encodeURIComponent(`Event=${event}`)}`;
  const { total } = (await (await page.request.get(asked)).json()) as { total: number };
  expect(total).toBeGreaterThan(0);
  await page.getByRole('heading', { name: total === 1 ? '1 game' : `${total} games`, exact: true }).waitFor();
  await page.getByLabel('Value of the tag').fill('');
  await page.getByLabel('Value of the tag').press('Enter');

  await page.locator('ol a').first().click();
  await page.getByRole('region', { name: 'Moves' }).getByRole('button', { name: 'e4' }).first().click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'c5', exact: true }).and(page.locator('[aria-current]')).waitFor();
  await page.getByRole('button', { name: 'What was played here' }).click();
  await page.getByRole('region', { name: 'Explorer' }).getByText('Sicilian Defense').waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  const picture = page.getByRole('img', { name: 'The position on the board' });
  await picture.waitFor();
  expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(360);
  const png = (await page.getByRole('link', { name: 'PNG' }).getAttribute('href')) ?? '';
  expect((await (await page.request.get(png)).body()).subarray(1, 4).toString()).toBe('PNG');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Explore this position' }).click();
  await anna.sees('Sicilian Defense');
  const games = page.getByRole('row', { name: /Nf3/ }).getByRole('cell').first();
  const before = Number(await games.textContent());
  expect(before).toBeGreaterThan(5);
  await page.getByRole('row', { name: /Nf3/ }).getByRole('button').click();
  await page.getByRole('list', { name: 'Moves so far' }).getByRole('button', { name: 'Nf3' }).waitFor();
  await page.getByLabel('Your move').fill('d6');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('list', { name: 'Moves so far' }).getByRole('button', { name: 'd6' }).waitFor();

  // What was found by a position says so, and can be asked without it.
  await page.getByRole('link', { name: 'Games with this position' }).click();
  await anna.sees('Only games that were in this position');
  expect(new URL(page.url()).searchParams.get('fen')).not.toBeNull();
  await page.getByRole('link', { name: 'Any position' }).click();
  await page.getByText('Only games that were in this position').waitFor({ state: 'hidden' });
  expect(new URL(page.url()).searchParams.get('fen')).toBeNull();

  // Side and score are those of the player who is asked for, or one's own: Annabel has played none of these games.
  await page.goto('/library');
  await page.getByRole('combobox', { name: 'Side' }).selectOption('White');
  await anna.sees('No game fits.');
  await page.getByLabel('Player', { exact: true }).fill('gligoric');
  await page.getByLabel('Player', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: '2 games' }).waitFor();
  await page.getByRole('combobox', { name: 'Score' }).selectOption('Won');
  await page.getByRole('heading', { name: '1 game', exact: true }).waitFor();

  await page.goto('/library/statistics');
  await page.getByLabel('Player', { exact: true }).fill('gligoric');
  await page.getByLabel('Player', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'By opening' }).waitFor();
  await page.getByRole('img', { name: '2 won, 1 drawn, 0 lost' }).first().waitFor();
  await page.getByRole('combobox', { name: 'Side' }).selectOption('Black');
  await page.getByRole('img', { name: '2 won, 1 drawn, 0 lost' }).first().waitFor({ state: 'hidden' });
  await page.getByRole('img', { name: '1 won, 0 drawn, 0 lost' }).first().waitFor();
  anna.behaves();
  await anna.leave();
});

test('a big file is watched while it comes in, and can be stopped', async () => {
  const dora = await Person.arrive(browser, server.url);
  const { page } = dora;
  await signUp(dora, 'Dorothea');
  await page.goto('/library/import');
  const game = (n: number): string =>
    `[White "Player ${n}"]\n[Black "Other"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n`;
  const text = Array.from({ length: 60_000 }, (_, n) => game(n)).join('');
  await page.getByLabel('Choose files').setInputFiles({
    name: 'big.pgn',
    mimeType: 'text/plain',
    buffer: Buffer.from(text),
  });
  await page.getByRole('progressbar', { name: 'Progress of big.pgn' }).waitFor();
  await page.getByText(/[1-9][\d,]* games a second/).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('status').filter({ hasText: 'Stopped' }).waitFor();
  await page.getByRole('progressbar').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Remove its games' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove its games' }).click();
  await dora.sees('0 new,');
  dora.behaves();
  await dora.leave();
});

test('files are dropped, and a move of the explorer is played', async () => {
  const emma = await Person.arrive(browser, server.url);
  const { page } = emma;
  await signUp(emma, 'Emmanuela');
  await page.goto('/library/import');
  const text =
    '[White "One"]\n[Black "Other"]\n[Result "1-0"]\n[Date "2024.01.02"]\n\n1. e4 e5 1-0\n\n' +
    '[White "Two"]\n[Black "Other"]\n[Result "0-1"]\n[Date "2024.01.01"]\n\n1. d4 d5 0-1\n';
  const dropped = await page.evaluateHandle((file) => {
    const data = new DataTransfer();
    data.items.add(new File([file], 'dropped.pgn', { type: 'text/plain' }));
    return data;
  }, text);
  await page.getByRole('group', { name: 'Drop files here' }).dispatchEvent('drop', { dataTransfer: dropped });
  await emma.sees('2 new, 0 already there, 0 with errors');
  await page.getByRole('link', { name: 'Show the games' }).click();
  await page.locator('ol a').first().click();

  // What the game itself has is gone to; anything else is played on the explorer's own page.
  await page.getByRole('button', { name: 'What was played here' }).click();
  const panel = page.getByRole('region', { name: 'Explorer' });
  await panel.getByRole('button', { name: 'e4' }).click();
  await page.getByRole('button', { name: 'e4', exact: true }).and(page.locator('[aria-current]')).waitFor();
  await page.keyboard.press('ArrowLeft');
  await panel.getByRole('button', { name: 'd4' }).click();
  await page.getByRole('list', { name: 'Moves so far' }).getByRole('button', { name: 'd4' }).waitFor();
  await page.getByRole('row', { name: /d5/ }).getByRole('button').click();
  await page.getByRole('list', { name: 'Moves so far' }).getByRole('button', { name: 'd5' }).waitFor();

  // Whose games: the club has none, a player of the club has none yet, and all of them are mine.
  await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: 'Games' }).click();
  await page.getByRole('radio', { name: "The club's" }).check();
  await emma.sees('No games here yet');
  await page.getByRole('radio', { name: 'All', exact: true }).check();
  await page.getByRole('heading', { name: '2 games' }).waitFor();
  await page.getByRole('radio', { name: "A player's" }).check();
  await page.getByLabel('Name of the player').fill('Emmanuela');
  await page.getByLabel('Name of the player').press('Enter');
  await emma.sees('No game fits.');
  expect(new URL(page.url()).searchParams.get('scope')).toBe('player:Emmanuela');
  emma.behaves();
  await emma.leave();
});

test('another person sees nothing of it, and a stranger is asked to log in', async () => {
  const bert = await Person.arrive(browser, server.url);
  await signUp(bert, 'Bertram');
  await bert.page.goto('/library');
  await bert.sees('No games here yet');
  await bert.leave();
  const stranger = await Person.arrive(browser, server.url);
  await stranger.page.goto('/library/import');
  await stranger.page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor();
  await stranger.leave();
});

test('pasted games come in', async () => {
  const carla = await Person.arrive(browser, server.url);
  await signUp(carla, 'Carlotta');
  await carla.page.goto('/library/import');
  await carla.page.getByText('Paste games').click();
  await carla.page
    .getByLabel('Games as PGN text')
    .fill('[White "Carlotta"]\n[Black "Other"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n');
  await carla.page.getByRole('button', { name: 'Import this text' }).click();
  await carla.sees('1 new, 0 already there, 0 with errors');
  carla.behaves();
  await carla.leave();
});
