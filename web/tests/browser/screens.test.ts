import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage, DARK, PHONE, tooSmall } from './judge';
import { QUICK, setUp } from './member';
import { openBrowser, Person, sitDown } from './person';
import { Server } from './server';

let server: Server;
let browser: Browser;
/** Who keeps the club, at home on every screen. */
let keeper: Person;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  keeper = await Person.arrive(browser, server.url);
  await setUp(keeper, server);
});

afterAll(async () => {
  await keeper?.leave();
  await browser?.close();
  await server?.end();
});

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE, dark: DARK })) {
  test(`every page is accessible and fits: ${name}`, async () => {
    const [white, black] = await sitDown(browser, server.url, options);
    await white.type('e2e4');
    await black.reads('e4');
    await checkPage(black.page);
    for (const path of ['/watch', '/setup?token=x', '/nothing-is-here', '/zzzzzzzz']) {
      await black.page.goto(path);
      await black.page.locator('h1').waitFor();
      await checkPage(black.page);
    }
    await white.presses('Abort');
    // The question is read out by its own name, not by that of another dialog of the page.
    await white.page.getByRole('dialog', { name: 'Abort this game?' }).getByRole('button', { name: 'Abort' }).click();
    await white.sees('Game aborted');
    await checkPage(white.page);
    await black.page.goto('/');
    await black.page.locator('h1').waitFor();
    await checkPage(black.page);
    await black.invite();
    await checkPage(black.page);
    for (const person of [white, black]) {
      person.behaves();
      await person.leave();
    }
  });
}

/** The pages of the variants, and what is there once they are complete. */
const VARIANT_PAGES = {
  '/lab': '.blocks svg',
  '/gallery': '.genomes a',
  '/defender': '.positions a',
  '/defender/2': 'h1',
  '/defender/new': '.editor .board button',
  '/rules/defender': 'h1',
  '/rules/gmo': '.gmo-board',
};

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE, dark: DARK })) {
  test(`every page of the variants is accessible and fits: ${name}`, async () => {
    const storageState = await keeper.page.context().storageState();
    const person = await Person.arrive(browser, server.url, { ...options, storageState });
    for (const [path, complete] of Object.entries(VARIANT_PAGES)) {
      await person.page.goto(path);
      await person.page.locator(complete).first().waitFor();
      await checkPage(person.page);
      // The squares of a board that is set up are as wide as an eighth of the screen.
      const ways = (await tooSmall(person.page)).filter((way) => !(path === '/defender/new' && way.startsWith(' ')));
      if (options === PHONE) expect(ways, path).toEqual([]);
    }
    person.behaves();
    await person.leave();
  });

  test(`the placing phase is accessible and fits: ${name}`, async () => {
    const white = await Person.arrive(browser, server.url, options);
    const black = await Person.arrive(browser, server.url, options);
    const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 0 };
    const created = await white.page.request.post('/api/v1/challenges', {
      data: { variant: 'defender', time, color: 'white' },
    });
    const { id } = (await created.json()) as { id: string };
    await black.page.request.post(`/api/v1/challenges/${id}/acceptance`);
    for (const person of [white, black]) await person.page.goto(`/${id}`);
    await white.page.getByRole('button', { name: /^Knight, / }).click();
    await white.page.locator('[data-square="f3"]').waitFor();
    for (const person of [white, black]) {
      await checkPage(person.page);
      if (options === PHONE) expect(await tooSmall(person.page)).toEqual([]);
      person.behaves();
      await person.leave();
    }
  });
}

test('on a phone the board is as wide as the screen and a game can be played by touch to its end', async () => {
  const phone = { ...PHONE, viewport: { width: 360, height: 740 } };
  const [white, black] = await sitDown(browser, server.url, phone);
  const box = await white.page.locator('cg-board').boundingBox();
  expect(box?.width).toBe(360);
  const sheet = ['f3', 'e5', 'g4', 'Qh4#'];
  for (const [i, move] of ['f2f3', 'e7e5', 'g2g4', 'd8h4'].entries()) {
    await (i % 2 === 0 ? white.tap(move, 'white') : black.tap(move, 'black'));
    await Promise.all([white, black].map((person) => person.reads(...sheet.slice(0, i + 1))));
  }
  await white.sees('You lost');
  await black.sees('You won');
  for (const { page } of [white, black]) {
    expect(await tooSmall(page)).toEqual([]);
    await checkPage(page);
  }
  for (const person of [white, black]) {
    person.behaves();
    await person.leave();
  }
});

test('everything one can press on a phone is large enough for a thumb', async () => {
  const [white, black] = await sitDown(browser, server.url, PHONE);
  for (const person of [white, black]) {
    expect(await tooSmall(person.page)).toEqual([]);
    await person.leave();
  }
});

test('the board keeps its place while the page opens', async () => {
  const [white, black] = await sitDown(browser, server.url);
  await white.page.reload();
  const place = white.page.locator('.board').first();
  await place.waitFor();
  const before = await place.boundingBox();
  await white.sits();
  await white.page.waitForLoadState('networkidle');
  expect(await place.boundingBox()).toEqual(before);
  for (const person of [white, black]) await person.leave();
});
