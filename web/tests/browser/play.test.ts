// What happens in a game besides moves: time, takebacks, premoves, talk.
import type { Browser, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, Person, sitDown, sitDownWith } from './person';
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

async function part(...people: Person[]): Promise<void> {
  for (const person of people) {
    person.behaves();
    await person.leave();
  }
}

/** Both have made their first moves. */
async function open(white: Person, black: Person): Promise<void> {
  await white.type('e2e4');
  await black.reads('e4');
  await black.type('e7e5');
  await white.reads('e4', 'e5');
}

test('a flag falls by itself', async () => {
  const time = { kind: 'fischer', initial_ms: 15_000, increment_ms: 0 } as const;
  const [white, black] = await sitDownWith(browser, server.url, time);
  await open(white, black);
  const patient = { timeout: 25_000 };
  await black.page.getByRole('heading', { name: 'You won' }).waitFor(patient);
  await black.sees('White ran out of time');
  await white.sees('You lost');
  await part(white, black);
});

test('a move can be taken back when the other agrees, and only then', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await open(white, black);
  await white.type('g1f3');
  await black.reads('e4', 'e5', 'Nf3');
  await white.presses('Ask to take back');
  await black.sees('Your opponent asks to take back');
  await black.presses('Accept');
  await Promise.all([white.reads('e4', 'e5'), black.reads('e4', 'e5')]);
  await white.click('f1c4', 'white');
  await black.reads('e4', 'e5', 'Bc4');
  await black.presses('Ask to take back');
  await white.presses('Decline');
  await black.page.getByText('You asked to take back').waitFor({ state: 'hidden' });
  await black.reads('e4', 'e5', 'Bc4');
  await part(white, black);
});

test('time can be given', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await open(white, black);
  await white.presses('Give 15 seconds');
  const clock = black.page.getByRole('timer', { name: "Black's clock" });
  await expect.poll(() => clock.textContent(), { timeout: 15_000 }).toMatch(/^5:1\d$/);
  await part(white, black);
});

test('a premove answers at once, and can be called off', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.click('e2e4', 'white');
  await black.reads('e4');
  await white.click('g1f3', 'white');
  await white.page.locator('square.current-premove').first().waitFor();
  await black.click('e7e5', 'black');
  await black.reads('e4', 'e5', 'Nf3');
  await white.reads('e4', 'e5', 'Nf3');
  // The next one is called off: it would have been legal.
  const laid = white.page.locator('square.current-premove').filter({ visible: true });
  await white.drag('f3e5', 'white');
  await expect.poll(() => laid.count()).toBe(2);
  await white.page.keyboard.press('Escape');
  await expect.poll(() => laid.count()).toBe(0);
  await black.click('b8c6', 'black');
  await white.reads('e4', 'e5', 'Nf3', 'Nc6');
  await white.type('f1b5');
  await black.reads('e4', 'e5', 'Nf3', 'Nc6', 'Bb5');
  await part(white, black);
});

test('players talk to each other, watchers among themselves', async () => {
  const [white, black] = await sitDown(browser, server.url);
  const watchers = [await Person.arrive(browser, server.url), await Person.arrive(browser, server.url)] as const;
  await open(white, black);
  for (const watcher of watchers) {
    await watcher.page.goto(white.page.url());
    await watcher.sits();
  }
  await white.says('Have fun with this one');
  await black.page.getByText('New', { exact: true }).waitFor({ state: 'attached' });
  await black.page.getByRole('tab', { name: /^Chat/ }).click();
  await black.sees('Have fun with this one');
  await black.presses('Mute');
  await black.page.getByText('Have fun with this one').waitFor({ state: 'hidden' });
  for (const watcher of watchers) expect(await watcher.page.getByText('Have fun with this one').count()).toBe(0);
  const [one, other] = watchers;
  await one.page.getByRole('tab', { name: /^Chat/ }).click();
  await one.presses('Join the talk as a guest');
  await one.says('Black stands better');
  await other.page.getByRole('tab', { name: /^Chat/ }).click();
  await other.sees('Black stands better');
  expect(await white.page.getByText('Black stands better').count()).toBe(0);
  await other.page.getByRole('button', { name: /^Do not hear / }).click();
  await other.page.getByText('Black stands better').waitFor({ state: 'hidden' });
  await other.presses('Unmute');
  await other.sees('Black stands better');
  await part(white, black, ...watchers);
});

test('a finished game can be replayed with its clocks', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await open(white, black);
  await white.presses('Resign');
  await white.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await black.sees('You won');
  await black.page.keyboard.press('Escape');
  await black.page.keyboard.press('Home');
  expect(await black.page.locator('[aria-current="step"]').count()).toBe(0);
  expect(await black.page.getByRole('timer').first().textContent()).toBe('5:00');
  await black.page.keyboard.press('End');
  expect(await black.page.locator('[aria-current="step"]').textContent()).toBe('e5');
  await part(white, black);
});

test('a line that falls silent is replaced within three seconds', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await open(white, black);
  // From the next page on the line goes through the test's hands.
  let opened = 0;
  let silenced = 0;
  await black.page.routeWebSocket('/ws', (line) => {
    const place = (opened += 1);
    const far = line.connectToServer();
    line.onMessage((message) => (place > silenced ? far.send(message) : undefined));
    far.onMessage((message) => (place > silenced ? line.send(message) : undefined));
  });
  await black.page.reload();
  await black.reads('e4', 'e5');
  const played = ['e4', 'e5'];
  const took: number[] = [];
  // A busy machine may be late once; a page that waits for too long is late every time.
  for (const [own, answer] of [
    ['Nf3', 'Nc6'],
    ['Bb5', 'a6'],
    ['Ba4', 'Nf6'],
    ['d3', 'b5'],
  ] as const) {
    silenced = opened;
    const since = performance.now();
    await white.type(own);
    await black.reads(...played, own);
    took.push(performance.now() - since);
    if (Math.min(...took) <= 3_000) break;
    await black.type(answer);
    await white.reads(...played, own, answer);
    played.push(own, answer);
  }
  expect(Math.min(...took)).toBeLessThanOrEqual(3_000);
  await part(white, black);
});

test('a line that breaks comes back by itself, with what was played and said meanwhile', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await open(white, black);
  // From the next page on the line goes through the test's hands.
  const lines: WebSocketRoute[] = [];
  let isCut = false;
  await black.page.routeWebSocket('/ws', (line) => {
    if (isCut) return void line.close();
    line.connectToServer();
    lines.push(line);
  });
  await black.page.reload();
  await black.reads('e4', 'e5');
  isCut = true;
  for (const line of lines) await line.close();
  await black.sees('Connection lost');
  await white.type('g1f3');
  await white.reads('e4', 'e5', 'Nf3');
  await white.says('Are you there');
  isCut = false;
  await black.reads('e4', 'e5', 'Nf3');
  await black.page.getByRole('tab', { name: /^Chat/ }).click();
  await black.sees('Are you there');
  await part(white, black);
});
