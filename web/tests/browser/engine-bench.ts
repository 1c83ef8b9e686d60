// Measures how soon an engine's first line is on the analysis board: `npm run bench:engine`, best with
// ROOKERY_BIN=../target/release/rookery and Stockfish installed.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { tell } from './figures';
import { openBrowser, Person } from './person';
import { Server } from './server';

const GAME = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 *';
const STEPS = 60;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

test('the first line after a step through a game', async () => {
  const person = await Person.arrive(browser, server.url);
  await person.page.goto('/analysis');
  await person.sits();
  await person.presses('Load');
  await person.page.getByLabel('FEN or PGN').fill(GAME);
  await person.page.getByRole('dialog').getByRole('button', { name: 'Load' }).click();
  await person.page.getByRole('list', { name: 'Best lines' }).getByRole('button').first().waitFor();
  const engine = await person.page.getByRole('combobox', { name: 'Engine' }).locator('option:checked').textContent();
  await person.page.evaluate(() => document.querySelector<HTMLElement>(':focus')?.blur());
  const times = await person.page.evaluate(async (steps) => {
    const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
    const told = (): string => document.querySelector('ol.lines')?.textContent?.trim() ?? '';
    // Watched, not looked for from frame to frame: a quick engine has filled the list again by then.
    const emptied = (): Promise<void> =>
      new Promise((done) => {
        const watch = new MutationObserver(() => {
          if (told() !== '') return;
          watch.disconnect();
          done();
        });
        watch.observe(document.body, { childList: true, subtree: true });
      });
    const times: number[] = [];
    for (let i = 0; i < steps; i += 1) {
      // The engine has been at the last position for a while: it is stopped, as it would be by a reader.
      await new Promise((done) => setTimeout(done, 300));
      const key = Math.floor(i / 15) % 2 === 0 ? 'ArrowLeft' : 'ArrowRight';
      // What is still there of the last position, or comes late, is no answer.
      const isEmpty = emptied();
      const begun = performance.now();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await isEmpty;
      while (told() === '') await frame();
      times.push(performance.now() - begun);
    }
    return times;
  }, STEPS);
  tell(`from a key to the first line of ${engine}`, times, 200);
  await person.leave();
}, 120_000);
