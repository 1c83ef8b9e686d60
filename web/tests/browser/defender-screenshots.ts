// Draws docs/images/{battle,battle-result,attempt-result,position-new,history}-{wide,phone,dark}.png and
// rules-defender-{wide,phone}.png: what comes after the pieces of ChessDefender are placed.
import { mkdirSync } from 'node:fs';
import { test } from 'vitest';
import { QUICK, setUp } from './member';
import { openBrowser, Person } from './person';
import { act, begin, IMAGES, SCREENS, shootSmall } from './pictures';
import { Server } from './server';

/** Twelve points each, and the kings. */
const ARMIES = ['N@f3', 'R@d8', 'P@e2', 'P@e7', 'B@d3', 'N@c6', 'R@d1', 'B@f6', 'K@g1', 'K@g8'];

async function draw(screen: string): Promise<void> {
  const [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  const white = await Person.arrive(browser, server.url, SCREENS[screen]);
  await setUp(white, server);
  const { page } = white;
  const black = await browser.newContext({ baseURL: server.url });
  const sides = [page.request, black.request] as const;
  const shoot = (name: string): Promise<void> => shootSmall(page, name, screen);

  const start = '8/8/8/8/8/8/8/8 w - - 0 1 12/12';
  const battle = await begin(...sides, { variant: 'defender', start });
  await act(sides, battle, [...ARMIES, 'f3g5', 'c6e5', 'd3h7']);
  await page.goto(`/${battle}`);
  await white.sits();
  await shoot('battle');
  await act(sides, battle, ['g8f8'], ARMIES.length + 3);
  await black.request.post(`/api/v1/games/${battle}/resignation`, { data: {} });
  await page.getByRole('heading', { name: 'You won' }).waitFor();
  await shoot('battle-result');
  await page.goto('/@/Caretaker');
  await page.locator('.set-up').first().scrollIntoViewIfNeeded();
  await shoot('history');

  const made = await page.request.post('/api/v1/defender/attempts', {
    data: { position: '2', level: 1, time: { kind: 'unlimited' }, setup: ['B@f3', 'B@h1', 'K@e2'] },
  });
  const { game } = (await made.json()) as { game: string };
  await page.goto(`/${game}`);
  await white.sits();
  await white.type('f3b7');
  await white.sees('Won with 6 points');
  await shoot('attempt-result');

  await page.goto('/defender/new');
  for (const [piece, square] of [
    ['Black king', 'g8'],
    ['Black rook', 'd7'],
    ['Black knight', 'f6'],
    ['Black pawn', 'g7'],
  ] as const) {
    await page.getByRole('radio', { name: piece }).click();
    await page.getByRole('button', { name: `${square} empty` }).click();
  }
  await shoot('position-new');
  if (screen !== 'dark') {
    await page.goto('/rules/defender');
    await page.getByRole('heading').first().waitFor();
    await shoot('rules-defender');
  }
  await browser.close();
  await server.end();
}

test('draw ChessDefender after the pieces are placed', async () => {
  mkdirSync(IMAGES, { recursive: true });
  for (const screen of Object.keys(SCREENS)) await draw(screen);
});
