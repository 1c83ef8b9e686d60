// Draws docs/images/{front,game,talk,result}-{wide,phone,dark}.png: the real binary, real games, a real browser.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { test } from 'vitest';
import { openBrowser, Person } from './person';
import { IMAGES, play, SCREENS } from './pictures';
import { Server } from './server';

/** Openings that everybody knows; the last one is the game that is shown. */
const OPENINGS = [
  'd2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8g8 f1e2 e7e5 e1g1 b8c6 d4d5 c6e7',
  'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 c8e6 f2f3',
  'c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5 f1g2 d5b6 e1g1 f8e7',
  'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 d2d4 d8c7',
];

async function draw(browser: Browser, url: string, screen: string): Promise<void> {
  const player = await Person.arrive(browser, url, SCREENS[screen]);
  const others = await Promise.all(
    OPENINGS.flatMap((opening) => [opening, opening]).map(() => browser.newContext({ baseURL: url })),
  );
  let id = '';
  for (const [i, opening] of OPENINGS.entries()) {
    const isShown = i === OPENINGS.length - 1;
    const [one, other] = others.slice(i * 2);
    if (one === undefined || other === undefined) throw new Error('somebody is missing');
    id = await play(isShown ? player.page.context().request : one.request, other.request, opening);
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
  await rival?.getByRole('tab', { name: /^Chat/ }).click();
  await rival?.getByLabel('Say something').fill('The main line, as in the old books.');
  await rival?.getByRole('button', { name: 'Send' }).click();
  await player.says('Have fun!');
  await player.page.waitForTimeout(300);
  await player.page.screenshot({ path: join(IMAGES, `talk-${screen}.png`) });
  await rival?.getByRole('button', { name: 'Resign' }).click();
  await rival?.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await player.sees('You won');
  await player.page.waitForTimeout(300);
  await player.page.screenshot({ path: join(IMAGES, `result-${screen}.png`) });
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
