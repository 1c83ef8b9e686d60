// What the worker of the page does with a message of a push service.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, Person } from './person';
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

test('the worker shows what it is told and keeps to pages of the club', { timeout: 60_000 }, async () => {
  const anna = await Person.arrive(browser, server.url);
  const { page } = anna;
  await page.context().grantPermissions(['notifications'], { origin: server.url });
  await page.goto('/');
  const inspector = await page.context().newCDPSession(page);
  const registered = new Promise<string>((tell) => {
    inspector.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) tell(first.registrationId);
    });
  });
  await inspector.send('ServiceWorker.enable');
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistration('/'))).toBeUndefined();
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  });
  const data = JSON.stringify({ title: 'Your move against Bert', body: 'Bert has moved.', url: '/abc', tag: 'move' });
  await inspector.send('ServiceWorker.deliverPushMessage', {
    origin: server.url,
    registrationId: await registered,
    data,
  });
  const shown = (): Promise<string[]> =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/');
      const notes = (await registration?.getNotifications()) ?? [];
      return notes.map((note) => `${note.title}: ${note.body}`);
    });
  await expect.poll(shown, { timeout: 15_000 }).toEqual(['Your move against Bert: Bert has moved.']);
  anna.behaves();
  await anna.leave();
});

test('the link of a mail that is not whole says so', async () => {
  const anna = await Person.arrive(browser, server.url);
  await anna.page.goto('/unsubscribe#nonsense');
  await anna.presses('Stop these mails');
  await anna.sees('this link is not complete; take the one in the newest mail');
  anna.behaves(/404/);
  await anna.leave();
});
