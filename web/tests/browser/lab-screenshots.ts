// Draws docs/images/{lab-error,lab-tour,lab-hidden}-{wide,phone,dark}.png and rules-gmo-{wide,phone}.png: how GMO chess is
// learned.
import { mkdirSync } from 'node:fs';
import { test } from 'vitest';
import type { EventView } from '../../src/lib/api/types';
import { QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { IMAGES, SCREENS, shootSmall } from './pictures';
import { Server } from './server';

/** A rook with a turn that is none. */
const BROKEN = 'AHH HSH HAA CHA CHA CAA HHA SAS';

async function draw(screen: string): Promise<void> {
  const [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  const [director, person] = [
    await Person.arrive(browser, server.url),
    await Person.arrive(browser, server.url, SCREENS[screen]),
  ];
  await setUp(director, server);
  await signUp(person, 'Anna');
  const { page } = person;
  const editor = page.getByLabel('DNA', { exact: true });
  const shoot = (name: string): Promise<void> => shootSmall(page, name, screen);

  await page.goto('/rules/gmo');
  await page.locator('.gmo-board').first().waitFor();
  if (screen !== 'dark') await shoot('rules-gmo');
  await page.goto('/lab');
  await page.getByText('1c1736').first().waitFor();
  await editor.fill(BROKEN);
  await person.sees('E_EFFECT');
  await editor.scrollIntoViewIfNeeded();
  await shoot('lab-error');
  await person.presses('Guided tour');
  const tour = page.getByRole('region', { name: 'Guided tour' });
  await tour.getByRole('button', { name: 'Next' }).click();
  await tour.getByText('Step 2 of 8').waitFor();
  await page.getByRole('img', { name: /^Block 1 from d4/ }).waitFor();
  await tour.scrollIntoViewIfNeeded();
  await shoot('lab-tour');

  const ask = async <T>(by: Person, path: string, data: unknown, method = 'POST'): Promise<T> => {
    const answer = await by.page.request.fetch(`/api/v1/events${path}`, { method, data });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const regulations = { system: 'round_robin', variant: 'gmo', online: true, hidden_rules: true };
  const { id } = await ask<EventView>(director, '', {
    name: 'Find it out',
    regulations: { ...regulations, pace: { automatic: false, no_show_seconds: 60 } },
  });
  await ask(director, `/${id}/state`, { state: 'registration' }, 'PUT');
  for (const each of [director, person]) await ask(each, `/${id}/entry`, {});
  await ask(director, `/${id}/state`, { state: 'running' }, 'PUT');
  await page.goto('/lab');
  await person.sees('An event of hidden rules is running');
  await editor.fill('AHH HAA HAC HHH CHA CHA HHA CAC SAS');
  await person.sees('A valid genome, code');
  await page.getByText('An event of hidden rules is running').scrollIntoViewIfNeeded();
  await shoot('lab-hidden');
  await browser.close();
  await server.end();
}

test('draw the pages on which GMO chess is learned', async () => {
  mkdirSync(IMAGES, { recursive: true });
  for (const screen of Object.keys(SCREENS)) await draw(screen);
});
