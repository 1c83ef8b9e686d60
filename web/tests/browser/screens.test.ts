import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage, DARK, PHONE, tooSmall } from './judge';
import { openBrowser, sitDown } from './person';
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
    await white.page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
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

test('on a phone the board is as wide as the screen and the game can be played by touch', async () => {
  const phone = { ...PHONE, viewport: { width: 360, height: 740 } };
  const [white, black] = await sitDown(browser, server.url, phone);
  const box = await white.page.locator('cg-board').boundingBox();
  expect(box?.width).toBe(360);
  await white.page.touchscreen.tap((box?.x ?? 0) + 4.5 * 45, (box?.y ?? 0) + 6.5 * 45);
  await white.page.touchscreen.tap((box?.x ?? 0) + 4.5 * 45, (box?.y ?? 0) + 4.5 * 45);
  await black.reads('e4');
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
