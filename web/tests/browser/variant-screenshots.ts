// Draws docs/images/{lab,gallery,defender,attempt,placing,muster,gmo,freeze,promotion,result}-{wide,phone,dark}.png: the
// real binary, a real browser.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { APIRequestContext } from 'playwright-core';
import { test } from 'vitest';
import { toHash } from '../../src/lib/lab/share';
import { openBrowser, Person } from './person';
import { act, begin, IMAGES, SCREENS } from './pictures';
import { Server } from './server';

const ROOK = 'AHHHSHHAACHACHACHAHHASASAAAAAAAAA';
const KNIGHT = 'AHHHAAHACHHHCHACHAHHACACSASAACACA';
/** Goes straight, takes aslant, as the guided tour has it. */
const PAWN_LIKE = 'AHH HSH HAA HHH HHH CHA HHA SAS AHH HSH HAC HHH CHA HHH HHA CAS SAS';
const FERRY = 'AHHHAAHCASHACHACHAHHASASAAAAAAAAA';

/** Keeps a text; gives its code. */
async function keep(api: APIRequestContext, path: string, text: string, name: string): Promise<string> {
  const stored = await api.post(`/api/v1/gmo/${path}`, { data: { text, name } });
  return ((await stored.json()) as { code: string }).code;
}

async function draw(screen: string): Promise<void> {
  const [server, browser] = await Promise.all([Server.start(), openBrowser()]);
  const white = await Person.arrive(browser, server.url, SCREENS[screen]);
  const black = await browser.newContext({ baseURL: server.url });
  const sides = [white.page.context().request, black.request] as const;
  const shoot = async (name: string): Promise<void> => {
    await white.page.waitForTimeout(400);
    await white.page.screenshot({ path: join(IMAGES, `${name}-${screen}.png`) });
  };

  const placing = await begin(...sides, { variant: 'defender' });
  await act(sides, placing, ['N@f3', 'R@d8', 'P@e2', 'P@e7', 'B@d3', 'N@c6']);
  await white.page.goto(`/${placing}`);
  await white.page.getByRole('button', { name: /^Rook, / }).click();
  await white.page.locator('[data-square="a1"]').waitFor();
  await shoot('placing');
  await white.page.goto('/defender');
  await white.page.locator('.positions a').first().waitFor();
  await shoot('defender');
  await white.page.goto('/defender/2');
  await white.page.getByRole('heading').first().waitFor();
  await shoot('attempt');

  for (const [text, name] of [
    [PAWN_LIKE, 'Footman'],
    [FERRY, 'Ferry'],
  ] as const) {
    const code = await keep(sides[0], 'genomes', text, name);
    await sides[0].patch(`/api/v1/gmo/genomes/${code}`, { data: { published: true } });
  }
  const ferry = await keep(sides[0], 'genomes', FERRY, 'Ferry');
  const preset = await keep(
    sides[0],
    'presets',
    `${ferry}-knight-bishop-queen-king-bishop-knight-rook`,
    'Ferry on the wing',
  );
  const gmo = await begin(...sides, { variant: 'gmo' });
  await white.page.goto(`/${gmo}`);
  await white.page.getByRole('radio', { name: 'Ferry on the wing' }).waitFor();
  await shoot('muster');
  await sides[0].post(`/api/v1/games/${gmo}/army`, { data: { preset, kings: ['e1'] } });
  await sides[1].post(`/api/v1/games/${gmo}/army`, { data: { preset: 'classic', kings: ['e8'] } });
  await act(sides, gmo, ['a1a2', 'e7e6', 'a2a7', 'd7d6', 'a7a8', 'c7c6']);
  await white.page.goto(`/${gmo}`);
  await white.page.locator('.gmo-board .piece').first().waitFor();
  await shoot('gmo');
  await act(sides, gmo, ['a8a1'], 6);
  const choice = white.page.getByRole('region', { name: /^The pawn on a8 becomes/ });
  await choice.getByRole('button', { name: 'Ferry' }).waitFor();
  await shoot('promotion');
  await choice.getByRole('button', { name: 'Ferry' }).click();
  await choice.waitFor({ state: 'detached' });
  // A queen of the built-in pieces freezes the game.
  await act(sides, gmo, ['d8b6'], 8, 1);
  await white.page.getByText(/Frozen for \d s/).waitFor();
  await shoot('freeze');
  await sides[1].post(`/api/v1/games/${gmo}/resignation`, { data: {} });
  await white.page.getByRole('button', { name: 'JSON' }).waitFor();
  await shoot('gmo-result');

  const piece = (square: string, dna: string, owner: 'white' | 'black' = 'white', king = false) => ({
    ...{ square, owner, dna, pawn: false, king, look: 0 },
  });
  const pieces = [
    piece('d4', PAWN_LIKE.replaceAll(' ', '')),
    piece('a1', ROOK, 'white', true),
    piece('g5', KNIGHT, 'black'),
    piece('e5', ROOK, 'black', true),
  ];
  await white.page.goto(`/lab#${toHash({ dna: PAWN_LIKE, pieces })}`);
  await white.page.locator('.blocks svg').first().waitFor();
  await white.page.locator('.gmo-board .piece').nth(3).waitFor();
  await white.page.getByRole('radio', { name: 'Move', exact: true }).click();
  await shoot('lab');
  await white.page.goto('/gallery');
  await white.page.locator('.genomes a').nth(7).waitFor();
  await shoot('gallery');
  await browser.close();
  await server.end();
}

test('draw the screenshots of the variants', async () => {
  mkdirSync(IMAGES, { recursive: true });
  for (const screen of Object.keys(SCREENS)) await draw(screen);
});
