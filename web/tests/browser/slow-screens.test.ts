// The pages around games over days stand what every page has to stand: axe, narrow screens, thumbs.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPage, DARK, PHONE, tooSmall } from './judge';
import { QUICK, setUp, signUp } from './member';
import { openBrowser, Person } from './person';
import { Server } from './server';

const DAYS = { kind: 'days', per_move_ms: 259_200_000, leave_days: 10 };
type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

let server: Server;
let browser: Browser;
let owner: Cookies;
let anna: Cookies;
let game: string;

/** Asks the server as this person's browser would. */
async function post(person: Person, path: string, data: object): Promise<{ id: string }> {
  const answer = await person.page.context().request.post(`/api/v1${path}`, { data });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as { id: string };
}

/** A club in which something waits on every one of these pages. */
beforeAll(async () => {
  [server, browser] = await Promise.all([Server.start(QUICK), openBrowser()]);
  const [boss, white, black] = [
    await Person.arrive(browser, server.url),
    await Person.arrive(browser, server.url),
    await Person.arrive(browser, server.url),
  ];
  await setUp(boss, server);
  await signUp(white, 'Anna');
  await signUp(black, 'Bert');
  const ask = (asked: string) => ({ kind: 'direct', asked, time: DAYS, color: 'white', rated: true });
  // One that is over and was judged, one that runs, and one that is only asked for.
  const over = (await post(white, '/challenges', ask('Bert'))).id;
  await post(black, `/challenges/${over}/acceptance`, {});
  await post(black, `/games/${over}/resignation`, {});
  const draw = { act: 'result', result: 'draw', reason: 'Both say it was a draw.' };
  await post(boss, `/arbiter/games/${over}/rulings`, draw);
  game = (await post(white, '/challenges', { ...ask('Bert'), engines: true, rated: false })).id;
  await post(black, `/challenges/${game}/acceptance`, {});
  await post(white, `/games/${game}/moves`, { ply: 0, uci: 'e2e4' });
  const call = await black.page.context().request.post(`/api/v1/games/${game}/calls`, {
    data: { text: 'My opponent was helped.' },
  });
  expect(call.ok()).toBe(true);
  await post(black, '/challenges', { ...ask('Anna'), message: 'Another one?', engines: true, rated: false });
  owner = await boss.page.context().cookies();
  anna = await white.page.context().cookies();
  for (const person of [boss, white, black]) await person.leave();
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

/** An open dialogue hides the page behind it, and that page's headings. */
const OF_A_DIALOGUE = ['color-contrast', 'aria-dialog-name', 'button-name', 'label', 'target-size'];

async function check(page: Page, options: BrowserContextOptions, what: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  if (what === 'plan') return checkPage(page, ...OF_A_DIALOGUE);
  // At night the same page has other colours, and nothing else.
  await checkPage(page, ...(options === DARK ? ['color-contrast'] : []));
  // Beside a board the names of the players are links in a line of text.
  const hasBoard = what === 'desk' || what === `/arbiter/${game}`;
  if (options === PHONE && !hasBoard) expect(await tooSmall(page), what).toEqual([]);
}

for (const [name, options] of Object.entries({ wide: {}, phone: PHONE, dark: DARK })) {
  test(`every page around games over days is accessible and fits: ${name}`, { timeout: 120_000 }, async () => {
    const player = await Person.arrive(browser, server.url, options);
    const arbiter = await Person.arrive(browser, server.url, options);
    const guest = await Person.arrive(browser, server.url, options);
    await player.page.context().addCookies(anna);
    await arbiter.page.context().addCookies(owner);
    const visits = [
      [player, '/my-games', 'Bert'],
      [player, '/inbox', 'Another one?'],
      [player, '/one-computer', ''],
      [arbiter, '/arbiter', 'My opponent was helped.'],
      [arbiter, `/arbiter/${game}`, 'Call by Bert'],
      [guest, '/ratings', 'Anna'],
      [guest, '/account/preferences', 'This browser remembers them.'],
    ] as const;
    for (const [person, path, words] of visits) {
      await person.page.goto(path);
      await person.page.getByRole('main').getByRole('heading').first().waitFor();
      if (words !== '') await person.page.getByRole('main').getByText(words).first().waitFor();
      await check(person.page, options, path);
    }

    const { page } = player;
    await page.goto(`/${game}`);
    await player.sits();
    // By keys: on a phone the notice of the invitation may lie over what is to be pressed.
    await page.getByRole('tab', { name: 'Desk' }).press('Enter');
    await page.getByLabel('Private notes').waitFor();
    await check(page, options, 'desk');
    await page.getByRole('button', { name: 'Add a line' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Type a move').waitFor();
    await check(page, options, 'plan');
    for (const person of [player, arbiter, guest]) {
      person.behaves();
      await person.leave();
    }
  });
}

test('what is typed just before one leaves the page is kept', async () => {
  const player = await Person.arrive(browser, server.url);
  await player.page.context().addCookies(anna);
  const open = async (): Promise<void> => {
    await player.page.goto(`/${game}`);
    await player.sits();
    await player.page.getByRole('tab', { name: 'Desk' }).click();
  };
  const note = player.page.getByLabel('Private notes');
  await open();
  await note.fill('Watch the f-file');
  // Within the application, and out of it.
  await player.page.getByRole('link', { name: 'Watch', exact: true }).click();
  await player.page.waitForURL('**/watch');
  await open();
  await expect.poll(() => note.inputValue()).toBe('Watch the f-file');
  await note.fill('And the h-file');
  await player.page.goto('about:blank');
  await open();
  await expect.poll(() => note.inputValue()).toBe('And the h-file');
  await player.leave();
});
