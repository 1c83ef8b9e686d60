// The analysis board and the report of a finished game, with whatever engine this machine has.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage } from './judge';
import { openBrowser, Person } from './person';
import { play, SCREENS } from './pictures';
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

/** Pictures to look at, where somebody asks for them by SHOTS=folder. */
async function picture(person: Person, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await person.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** A game lost quickly, by two browsers of their own; gives its address. */
async function lostGame(): Promise<string> {
  const [white, black] = await Promise.all([
    browser.newContext({ baseURL: server.url }),
    browser.newContext({ baseURL: server.url }),
  ]);
  const moves = 'e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7';
  const id = await play(white.request, black.request, moves);
  await Promise.all([white.close(), black.close()]);
  return id;
}

test('an engine tells its lines on the analysis board, and a tree grows', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  const lines = anna.page.getByRole('list', { name: 'Best lines' }).getByRole('button');
  await lines.first().waitFor();
  await anna.click('e2e4', 'white');
  const tree = anna.page.locator('section[aria-label="Moves and variations"] button');
  await expect.poll(() => tree.allTextContents(), { timeout: 15_000 }).toEqual(['e4']);
  await anna.sees("King's Pawn Game");
  await anna.page.getByRole('combobox', { name: /^Lines/ }).selectOption('3');
  await expect.poll(() => lines.count(), { timeout: 15_000 }).toBe(3);
  await anna.sees(/^Depth \d+/);

  await anna.page.keyboard.press('ArrowLeft');
  await anna.click('d2d4', 'white');
  await expect.poll(() => tree.allTextContents(), { timeout: 15_000 }).toEqual(['e4', 'd4']);
  await anna.page.getByRole('button', { name: 'Good move' }).click();
  await anna.page.getByPlaceholder('Comment').fill('the other way');
  await anna.page.getByPlaceholder('Comment').press('Tab');
  await anna.presses('Make main line');
  await expect.poll(() => tree.allTextContents(), { timeout: 15_000 }).toEqual(['d4!', 'e4']);
  await picture(anna, 'analysis-wide');
  await checkPage(anna.page);

  await anna.presses('Share');
  const pgn = anna.page.getByLabel('Moves (PGN)');
  await expect.poll(() => pgn.inputValue(), { timeout: 15_000 }).toContain('1. d4 $1 {the other way} (1. e4) *');
  await anna.page.keyboard.press('Escape');
  anna.behaves();
  await anna.leave();
});

test('a position is set up with the keyboard or pasted, and a hint shows the mate', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  await anna.presses('Load');
  await anna.page.getByLabel('FEN or PGN').fill('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1');
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
  await anna.sees('Rd8#');
  await anna.presses('Hint');
  await anna.page.locator('.hint polygon').first().waitFor();

  await anna.presses('Set up');
  await anna.presses('Empty board');
  for (const [piece, square] of [
    ['White King', 'e1 empty'],
    ['Black King', 'e8 empty'],
    ['White Queen', 'd1 empty'],
  ] as const) {
    await anna.page.getByRole('radio', { name: piece }).click();
    await anna.page.getByRole('button', { name: square }).click();
  }
  await picture(anna, 'editor-wide');
  await anna.presses('Analyse');
  await anna.sees('White to move');
  await expect.poll(() => anna.page.locator('cg-board piece').count()).toBe(3);
  anna.behaves();
  await anna.leave();
});

test('an analysis that was not kept is there again, and is replaced only by who means it', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  const tree = anna.page.locator('section[aria-label="Moves and variations"] button');
  const becomes = (sans: string[]) => expect.poll(() => tree.allTextContents(), { timeout: 15_000 }).toEqual(sans);
  await anna.click('e2e4', 'white');
  await becomes(['e4']);
  await anna.page.reload();
  await becomes(['e4']);
  await anna.sees('Your analysis is as you left it. It has not been kept yet.');

  const load = async (pgn: string): Promise<void> => {
    await anna.presses('Load');
    await anna.page.getByLabel('FEN or PGN').fill(pgn);
    await anna.page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
  };
  const question = anna.page.getByRole('dialog', { name: 'Replace this analysis?' });
  await load('1. d4 d5 2. Ke3 *');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await becomes(['e4']);
  await load('1. d4 d5 2. Ke3 *');
  await question.getByRole('button', { name: 'Replace' }).click();
  await becomes(['d4', 'd5']);
  await anna.sees(/^Something in this game could not be read/);
  await anna.page.reload();
  await becomes([]);
  anna.behaves();
  await anna.leave();
});

test('a hint is told with the engine off, and a position of Chess960 keeps its castling', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  await anna.page.getByRole('switch', { name: 'Engine' }).click();
  await anna.presses('Hint');
  await anna.sees(/^A good move: /);
  await anna.presses('Load');
  await anna.page.getByLabel('FEN or PGN').fill('bqnbr1kr/pppppppp/6n1/8/8/6N1/PPPPPPPP/BQNBR1KR w KQkq - 0 1');
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
  await anna.presses('Share');
  const pgn = anna.page.getByLabel('Moves (PGN)');
  await expect.poll(() => pgn.inputValue(), { timeout: 15_000 }).toContain('[Variant "Chess960"]');
  anna.behaves();
  await anna.leave();
});

test('a pawn that may become four pieces has four lines and one arrow', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto(`/analysis?fen=${encodeURIComponent('7k/4P3/8/8/8/8/5q2/7K w - - 0 1')}`);
  await anna.sits();
  await anna.page.getByRole('combobox', { name: /^Lines/ }).selectOption('4');
  const lines = anna.page.getByRole('list', { name: 'Best lines' }).getByRole('button');
  await expect.poll(() => lines.count(), { timeout: 30_000 }).toBe(4);
  expect(await anna.page.locator('.board > svg g').count()).toBe(1);
  anna.behaves();
  await anna.leave();
});

test('what the other side threatens is shown by red arrows, several at once', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  await anna.page.getByRole('combobox', { name: /^Lines/ }).selectOption('3');
  await anna.presses('Threat');
  await expect.poll(() => anna.page.locator('g.threat polygon').count(), { timeout: 30_000 }).toBe(3);
  // Lines overtake each other on the way down.
  await anna.sees(/^Depth [1-4]\d/);
  anna.behaves();
  await anna.leave();
});

test('whoever wants it has Stockfish in the browser itself, loaded then and not before', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  const loaded: string[] = [];
  anna.page.on('request', (request) => {
    if (request.url().includes('stockfish')) loaded.push(new URL(request.url()).pathname);
  });
  await anna.page.goto(`/analysis?fen=${encodeURIComponent('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1')}`);
  await anna.sits();
  await anna.sees('Rd8#');
  expect(loaded).toEqual([]);
  await anna.page.getByRole('combobox', { name: 'Engine' }).selectOption('Stockfish in this browser');
  const lines = anna.page.getByRole('list', { name: 'Best lines' }).getByRole('button');
  await expect.poll(() => lines.first().textContent(), { timeout: 60_000 }).toContain('Rd8#');
  const kinds = () => loaded.map((path) => path.split('.').at(-1)).sort();
  await expect.poll(kinds, { timeout: 30_000 }).toEqual(['js', 'wasm']);
  await anna.page.getByRole('combobox', { name: /^Lines/ }).selectOption('3');
  await expect.poll(() => lines.count(), { timeout: 30_000 }).toBe(3);
  // Now it searches on and on, and is interrupted.
  await anna.page.getByRole('combobox', { name: /^Lines/ }).selectOption('5');
  await expect.poll(() => lines.count(), { timeout: 30_000 }).toBe(5);
  await anna.sees(/^Depth \d+/);
  await picture(anna, 'analysis-local');
  anna.behaves();
  await anna.leave();
});

test('a finished game is analysed, and the graph leads to the mistake', async () => {
  const id = await lostGame();
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.request.post('/api/v1/guest');
  await anna.page.goto(`/${id}`);
  await anna.presses('Analyse this game');
  const graph = anna.page.getByRole('slider', { name: 'Evaluation over the game' });
  await graph.waitFor({ timeout: 60_000 });
  await anna.sees('Accuracy');
  const mistakes = anna.page.getByRole('list', { name: 'Mistakes' });
  await mistakes.getByRole('button', { name: /Nf6\?\?.*White’s chances \d+ %/ }).click();
  expect(await graph.getAttribute('aria-valuenow')).toBe('6');
  await graph.focus();
  await anna.page.keyboard.press('ArrowRight');
  await expect.poll(() => graph.getAttribute('aria-valuetext')).toContain('Qxf7#');
  await picture(anna, 'report-wide');
  await checkPage(anna.page);

  await anna.page.getByRole('link', { name: 'Analysis board' }).click();
  const tree = anna.page.locator('section[aria-label="Moves and variations"] button');
  await expect.poll(() => tree.count(), { timeout: 15_000 }).toBe(7);
  expect(new URL(anna.page.url()).searchParams.get('ply')).toBe('7');
  await anna.page.goBack();
  await mistakes
    .getByRole('link', { name: /^Better:/ })
    .last()
    .click();
  // The better line stands beside the moves of the game.
  await expect.poll(() => tree.count(), { timeout: 15_000 }).toBeGreaterThan(7);
  anna.behaves();
  await anna.leave();
});

test('a report whose progress nobody tells is there all the same', async () => {
  const id = await lostGame();
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.request.post('/api/v1/guest');
  // What is told while the line is down is lost; the page cannot know that there was anything.
  await anna.page.routeWebSocket('**/ws', (toPage) => {
    const toServer = toPage.connectToServer();
    toServer.onMessage((message) => {
      if (!String(message).includes('"report_progress"')) toPage.send(message);
    });
  });
  await anna.page.goto(`/${id}`);
  await anna.presses('Analyse this game');
  await anna.page.getByRole('slider', { name: 'Evaluation over the game' }).waitFor({ timeout: 60_000 });
  anna.behaves();
  await anna.leave();
});

test.each(['phone', 'dark'])('it can be looked at on a %s screen', async (screen) => {
  const id = await lostGame();
  const anna = await Person.arrive(browser, server.url, SCREENS[screen]);
  await anna.page.request.post('/api/v1/guest');
  await anna.page.request.post(`/api/v1/games/${id}/report`);
  await anna.page.goto(`/${id}`);
  await anna.page.getByRole('slider', { name: 'Evaluation over the game' }).waitFor({ timeout: 60_000 });
  await picture(anna, `report-${screen}`);
  await anna.page.goto(`/analysis?game=${id}&ply=4`);
  await anna.page.getByRole('list', { name: 'Best lines' }).getByRole('button').first().waitFor();
  await picture(anna, `analysis-${screen}`);
  await checkPage(anna.page);
  anna.behaves();
  await anna.leave();
});
