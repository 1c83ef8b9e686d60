// What a member keeps on the analysis board and takes away from it, and the reports of a whole history.
import { readFile } from 'node:fs/promises';
import type { Browser, Download } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, signUp } from './member';
import { openBrowser, Person } from './person';
import { play, SCREENS } from './pictures';
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

/** Waits until exactly these moves stand in the tree. */
async function becomes({ page }: Person, ...sans: string[]): Promise<void> {
  const tree = page.locator('section[aria-label="Moves and variations"] button');
  await expect.poll(() => tree.allTextContents(), { timeout: 15_000 }).toEqual(sans);
}

test('a study is kept, opened again from the list, and goes on', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await signUp(anna, 'Anna');
  await anna.page.goto('/analysis');
  await anna.sits();
  await anna.click('e2e4', 'white');
  await becomes(anna, 'e4');
  await anna.presses('Keep');
  const dialog = anna.page.getByRole('dialog', { name: 'Keep as a study' });
  await dialog.getByLabel('Name of the study').fill('Open games');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await dialog.waitFor({ state: 'hidden' });

  const openAgain = async (): Promise<void> => {
    await anna.page.goto('/analysis/studies');
    await anna.page.getByRole('link', { name: 'Open games' }).first().click();
    await anna.sits();
  };
  await openAgain();
  await becomes(anna, 'e4');
  await anna.page.keyboard.press('End');
  await anna.click('e7e5', 'white');
  await becomes(anna, 'e4', 'e5');
  const saved = anna.page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await anna.presses('Save');
  expect((await saved).status()).toBe(200);
  await openAgain();
  await becomes(anna, 'e4', 'e5');
  anna.behaves();
  await anna.leave();
});

test('the games of a whole history are analysed from the page of studies', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await signUp(anna, 'Berta');
  const other = await browser.newContext({ baseURL: server.url });
  await play(anna.page.request, other.request, 'f2f3 e7e5 g2g4 d8h4');
  await other.close();
  await anna.page.goto('/analysis/studies');
  await anna.presses('Analyse all my games');
  // An earlier try of this test has left its game.
  await anna.page.getByText(/^(\d+) of \1 games are analysed\./).waitFor({ timeout: 60_000 });
  anna.behaves();
  await anna.leave();
});

test('the position is taken away as a picture, in two forms', async () => {
  const anna = await Person.arrive(browser, server.url, SCREENS.wide);
  await anna.page.goto('/analysis');
  await anna.sits();
  await anna.presses('Share');
  const save = async (form: string): Promise<Download> => {
    const download = anna.page.waitForEvent('download');
    await anna.presses(form);
    return download;
  };
  const drawing = await save('SVG');
  expect(drawing.suggestedFilename()).toBe('position.svg');
  const svg = await readFile(await drawing.path(), 'utf8');
  expect(svg.match(/<image [^>]*href="data:image\/[^"]+"/g)).toHaveLength(32);
  const painting = await save('PNG');
  expect(painting.suggestedFilename()).toBe('position.png');
  const png = await readFile(await painting.path());
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 640]);
  anna.behaves();
  await anna.leave();
});
