// Two people at one computer: a game of two names, a rated one that the second player confirms by PIN, hidden armies.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, QUICK, setUp, signUp } from './member';
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

test('two people play at one screen, rated with the PIN of the second', { timeout: 120_000 }, async () => {
  const boss = await Person.arrive(browser, server.url);
  await setUp(boss, server);
  const [anna, bert] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  await signUp(anna, 'Anna');
  await signUp(bert, 'Bert');

  await bert.page.goto('/account/security');
  const pin = bert.page.locator('section', { hasText: 'PIN for one computer' });
  await pin.getByLabel('New PIN').fill('2718');
  await pin.getByLabel('Your password').fill(PASSWORD);
  await pin.getByRole('button', { name: 'Set the PIN' }).click();
  await bert.sees('You have a PIN.');

  await anna.page.goto('/');
  await anna.page.getByRole('link', { name: 'Two at this computer' }).click();
  const black = anna.page.getByRole('group', { name: 'Black' });
  await black.getByText('A member').click();
  await black.getByLabel('User name').fill('Bert');
  await black.getByLabel('PIN', { exact: true }).fill('3141');
  await anna.page.getByLabel('Rated game').check();
  await anna.presses('Begin the game');
  await anna.sees('The name or the PIN is wrong');
  await black.getByLabel('PIN', { exact: true }).fill('2718');
  await anna.presses('Begin the game');
  await anna.sits();
  await anna.sees('Played at one computer');
  const written: string[] = [];
  for (const move of ['f3', 'e5', 'a3']) {
    await anna.type(move);
    written.push(move);
    await anna.reads(...written);
  }
  await anna.presses('Take back');
  await anna.presses('We agree');
  await anna.reads('f3', 'e5');
  await anna.type('g4');
  await anna.reads('f3', 'e5', 'g4');
  await anna.type('Qh4');
  await anna.reads('f3', 'e5', 'g4', 'Qh4#');
  await anna.sees('Black wins');
  await bert.page.goto('/ratings');
  const row = bert.page.getByRole('row', { name: /Bert/ });
  await expect.poll(() => row.textContent()).toMatch(/1 \/ 0 \/ 0/);

  const guest = await Person.arrive(browser, server.url);
  await guest.page.goto('/one-computer');
  await guest.page.getByText('GMO chess', { exact: true }).click();
  await guest.page.getByRole('group', { name: 'White' }).getByLabel('Name', { exact: true }).fill('Ola');
  await guest.page.getByRole('group', { name: 'Black' }).getByLabel('Name', { exact: true }).fill('Kari');
  await guest.presses('Begin the game');
  for (const name of ['Ola', 'Kari']) {
    await guest.sees(`${name}, it is your turn to choose`);
    await guest.presses(`I am ${name}`);
    await guest.presses('Hand in');
  }
  await guest.sees('White to move');
  // Both look at the screen: where the knight could go is shown, its code and DNA are not.
  const box = await guest.page.locator('.gmo-board').boundingBox();
  if (box === null) throw new Error('there is no board');
  const [x, y] = [box.x + (1.5 * box.width) / 8, box.y + (7.5 * box.height) / 8];
  await guest.page.mouse.click(x, y, { button: 'right' });
  await guest.page.getByText('The lit squares are where it could go now.', { exact: true }).waitFor();
  expect(await guest.page.getByText('fd6171').count()).toBe(0);
  expect(await guest.page.locator('.about code').count()).toBe(0);
  for (const person of [anna, bert, boss, guest]) {
    person.behaves(/status of 401/);
    await person.leave();
  }
});

test('the clock runs and the board turns to whoever is to move', async () => {
  const guest = await Person.arrive(browser, server.url);
  const seat = (name: string): object => ({ kind: 'guest', name });
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
  const data = { time, white: seat('Ola'), black: seat('Kari') };
  const begun = await guest.page.context().request.post('/api/v1/one-computer', { data });
  const { id } = (await begun.json()) as { id: string };
  await guest.page.goto(`/${id}`);
  await guest.sits();
  await guest.page.getByLabel('Turn the board to the side to move').check();
  await guest.click('e2e4', 'white');
  await guest.page.locator('.cg-wrap.orientation-black').waitFor();
  await guest.click('e7e5', 'black');
  await guest.page.locator('.cg-wrap.orientation-white').waitFor();
  await guest.reads('e4', 'e5');
  // Both have moved: now White's clock runs.
  const clock = guest.page.getByRole('timer').filter({ hasText: /^9:5\d$/ });
  await clock.waitFor();
  // Nobody is called to a game they sit at.
  await guest.page.goto('/my-games');
  await guest.sees('Stopped, or at this computer');
  guest.behaves();
  await guest.leave();
});

/** Keeps a preset for somebody who is logged in; gives its code. */
async function keepPreset(person: Person, name: string, text: string): Promise<string> {
  const answer = await person.page.context().request.post('/api/v1/gmo/presets', { data: { text, name } });
  return ((await answer.json()) as { code: string }).code;
}

test('the second member brings an own army to another computer, and no code is seen', { timeout: 60_000 }, async () => {
  const [carl, dora] = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)];
  await signUp(carl, 'Carl');
  await signUp(dora, 'Dora');
  await keepPreset(carl, 'Carl alone', 'rook-knight-bishop-queen-king-bishop-knight-queen');
  const code = await keepPreset(dora, 'Dora alone', 'queen-knight-bishop-queen-king-bishop-knight-rook');
  const table = {
    variant: 'gmo',
    time: { kind: 'unlimited' },
    white: { kind: 'me' },
    black: { kind: 'member', name: 'Dora', password: PASSWORD },
  };
  const begun = await carl.page.context().request.post('/api/v1/one-computer', { data: table });
  const { id } = (await begun.json()) as { id: string };
  const heard: string[] = [];
  carl.page.on('response', async (response) => {
    if (response.url().includes('/api/')) heard.push(await response.text().catch(() => ''));
  });
  await carl.page.goto(`/${id}`);
  await carl.presses('I am Carl');
  await carl.page.getByRole('radio', { name: 'Carl alone' }).waitFor();
  await carl.presses('Hand in');

  await carl.presses('I am Dora');
  await carl.page.getByRole('radio', { name: 'classic' }).waitFor();
  expect(await carl.page.getByRole('radio', { name: /alone/ }).count()).toBe(0);
  await carl.presses('Confirm by the password instead');
  const secret = carl.page.getByLabel('Dora: your password, for your own presets');
  await secret.fill('not hers');
  await carl.presses('Show my presets');
  await carl.sees('The name or the password is wrong');
  await secret.fill(PASSWORD);
  await carl.presses('Show my presets');
  await carl.page.getByRole('radio', { name: 'Dora alone', checked: true }).waitFor();
  expect(await carl.page.getByRole('radio', { name: 'Carl alone' }).count()).toBe(0);
  await carl.presses('Hand in');
  await carl.page.locator('.gmo-board .piece').first().waitFor();
  expect(heard.length).toBeGreaterThan(4);
  expect(heard.filter((text) => text.includes(code))).toEqual([]);
  for (const person of [carl, dora]) {
    person.behaves(/status of 401/);
    await person.leave();
  }
});
