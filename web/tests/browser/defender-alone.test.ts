// ChessDefender for one player: a prepared position, tried, tried again with the same set-up, and won.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QUICK, signUp } from './member';
import { openBrowser, Person } from './person';
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

/** Takes a piece from the shelf and places it. */
async function place({ page }: Person, piece: string, square: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${piece}, `) }).click();
  await page.getByRole('button', { name: `${piece} to ${square}`, exact: true }).click();
}

/** What stands on the card of a position beside a label. */
const onCard = ({ page }: Person, position: number, label: string): Promise<string | null> =>
  page
    .locator('a', { hasText: `Position ${position}` })
    .locator('dt', { hasText: label })
    .locator('+ dd')
    .textContent();

// Who has signed up stays: a second try is another member.
let members = 0;

test('position 2 is lost first, then won with the same set-up, and stands in the list', async () => {
  const anna = await Person.arrive(browser, server.url);
  const name = `Anna${++members}`;
  await signUp(anna, name);
  await anna.page.goto('/defender');
  await anna.page.getByRole('link', { name: /^Position 2/ }).click();
  await anna.sees('Nobody has won against this level yet');
  await anna.page.getByRole('radio', { name: '1', exact: true }).check();
  await anna.presses('Place your pieces');
  // Two bishops and the king, six points: Bxb7 is mate as long as the computer has not moved.
  const setUp = ['B@f3', '--', 'B@h1', '--', 'K@e2', '--'];
  await place(anna, 'Bishop', 'f3');
  await place(anna, 'Bishop', 'h1');
  await anna.sees('6 points');
  await place(anna, 'King', 'e2');
  await anna.reads(...setUp);
  await anna.type('e2e3');
  // The computer answers, whatever it plays.
  const sheet = anna.page.locator('section[aria-label="Moves"] button');
  await expect.poll(() => sheet.count(), { timeout: 60_000 }).toBe(8);
  await anna.presses('Resign');
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await anna.sees('6 points spent');
  await anna.sees('Only wins are in the list.');

  await anna.presses('Again with this set-up');
  await anna.reads(...setUp);
  // The result is entered a moment after the end; here that moment is as long as the test needs it.
  let isEntered = false;
  await anna.page.route('**/api/v1/defender/attempts/*', async (route) => {
    const response = await route.fetch();
    const told = (await response.json()) as object;
    await route.fulfill({ response, json: isEntered ? told : { ...told, won: null, best: null } });
  });
  await anna.click('f3b7', 'white');
  await anna.page.getByRole('heading', { name: 'You won' }).waitFor();
  await anna.reads(...setUp, 'Bxb7#');
  const entering = anna.page.getByText('Your result is being entered');
  await entering.waitFor();
  expect(await entering.count(), 'it is said, and asked for, in one place').toBe(1);
  expect(await anna.page.getByText('Only wins are in the list.').count()).toBe(0);
  isEntered = true;
  await anna.sees('Won with 6 points');
  await anna.sees('Place 1 against level 1');
  await anna.page.getByRole('link', { name: 'Best results' }).first().click();
  const row = anna.page.getByRole('table').getByRole('row', { name });
  await row.waitFor();
  expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual(['1', name, '6']);

  await anna.page.goto('/defender');
  await expect.poll(() => onCard(anna, 2, 'Your best')).toBe('6 points');
  expect(await onCard(anna, 2, 'Record')).toContain(name);
  expect(await onCard(anna, 1, 'Record')).toBe('none yet');
  anna.behaves();
  await anna.leave();
});
