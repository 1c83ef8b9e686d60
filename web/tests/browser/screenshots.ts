// Draws docs/images/{front,game}-{wide,phone,dark}.png: the real binary, real games, a real browser.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext, Browser, BrowserContextOptions } from 'playwright-core';
import { test } from 'vitest';
import type { Challenge } from '../../src/lib/api/types';
import { openBrowser, Person } from './person';
import { Server } from './server';

const IMAGES = join(import.meta.dirname, '../../../docs/images');

const SCREENS: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
};

/** Openings that everybody knows; the last one is the game that is shown. */
const OPENINGS = [
  'd4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7',
  'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3 e5 Nb3 Be6 f3',
  'c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5 cxd5 Nxd5 Bg2 Nb6 O-O Be7',
  'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7',
];

/** Plays an opening between two people; gives the game's id. */
async function play(white: APIRequestContext, black: APIRequestContext, opening: string): Promise<string> {
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 5_000 };
  const created = await white.post('/api/v1/challenges', { data: { time, color: 'white' } });
  const { id } = (await created.json()) as Challenge;
  await black.post(`/api/v1/challenges/${id}/acceptance`);
  for (const [ply, uci] of opening.split(' ').entries()) {
    const played = await (ply % 2 === 0 ? white : black).post(`/api/v1/games/${id}/moves`, { data: { ply, uci } });
    if (!played.ok()) throw new Error(`${uci} was refused: ${await played.text()}`);
  }
  return id;
}

async function draw(browser: Browser, url: string, screen: string): Promise<void> {
  const player = await Person.arrive(browser, url, SCREENS[screen]);
  const others = await Promise.all(OPENINGS.map(() => browser.newContext({ baseURL: url })));
  let id = '';
  for (const [i, opening] of OPENINGS.entries()) {
    const [mine, theirs] = [player.page.context().request, others[i]?.request ?? player.page.context().request];
    id = await play(mine, theirs, opening);
  }
  const rival = await others.at(-1)?.newPage();
  await rival?.goto(`/${id}`);
  await player.page.goto('/');
  await player.page
    .getByRole('link', { name: /Watch this game/ })
    .first()
    .waitFor();
  await player.page.screenshot({ path: join(IMAGES, `front-${screen}.png`) });
  await player.page.goto(`/${id}`);
  await player.sits();
  await player.page.waitForTimeout(500);
  await player.page.screenshot({ path: join(IMAGES, `game-${screen}.png`) });
  await player.leave();
  await Promise.all(others.map((other) => other.close()));
}

test('draw the screenshots', async () => {
  mkdirSync(IMAGES, { recursive: true });
  const browser = await openBrowser();
  for (const screen of Object.keys(SCREENS)) {
    // A new server each time, so that every picture shows the same four games.
    const server = await Server.start();
    await draw(browser, server.url, screen);
    await server.end();
  }
  await browser.close();
});
