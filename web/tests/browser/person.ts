// Somebody at a browser of their own: what they see and do, and that their page behaves.
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Color, TimeControl } from '../../src/lib/api/types';

/** Debian's Chromium, as root, and quiet: no call home. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** How long anything may take to appear. Two browsers and an unoptimised server share two slow processors. */
const PATIENCE_MS = 30_000;

export class Person {
  /** What no page of ours may do: errors, blocked content, requests to other places. */
  readonly faults: string[] = [];

  private constructor(readonly page: Page) {}

  /** Opens a browser window with no past. */
  static async arrive(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    answersOnArrival(page);
    const person = new Person(page);
    page.on('pageerror', (error) => person.faults.push(`error: ${error.message}`));
    page.on('console', (line) => {
      if (line.type() === 'error') person.faults.push(`console: ${line.text()} (${line.location().url})`);
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== url) person.faults.push(`elsewhere: ${request.url()}`);
    });
    return person;
  }

  /** Fails if the page did what it must not; `but` names what the test itself has caused. */
  behaves(but?: RegExp): void {
    expect(this.faults.filter((fault) => but === undefined || !but.test(fault))).toEqual([]);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }

  /** Invites a friend with this clock and colour; gives the address to send. */
  async invite(clock = '5+0', color = 'White'): Promise<string> {
    await this.page.goto('/');
    await this.page.getByRole('tab', { name: 'Play a friend' }).click();
    await this.page.getByRole('radio', { name: clock }).check();
    await this.page.getByRole('radio', { name: color }).check();
    await this.page.getByRole('button', { name: 'Create the game' }).click();
    const link = this.page.getByLabel('Link to this game');
    await link.waitFor();
    return link.inputValue();
  }

  async accept(link: string): Promise<void> {
    await this.page.goto(new URL(link).pathname);
    await this.page.getByRole('button', { name: 'Accept and play' }).click();
  }

  /** Waits until the table stands and the board is drawn. */
  async sits(): Promise<void> {
    await this.page.locator('cg-board piece').first().waitFor();
  }

  /** Makes a move by two clicks. */
  async click(move: string, bottom: Color): Promise<void> {
    for (const square of [move.slice(0, 2), move.slice(2, 4)]) {
      const { x, y } = await this.#middleOf(square, bottom);
      await this.page.mouse.click(x, y);
    }
  }

  /** Makes a move by dragging the piece. */
  async drag(move: string, bottom: Color): Promise<void> {
    const from = await this.#middleOf(move.slice(0, 2), bottom);
    const to = await this.#middleOf(move.slice(2, 4), bottom);
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await this.page.mouse.move(to.x, to.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Makes a move by two taps. */
  async tap(move: string, bottom: Color): Promise<void> {
    for (const square of [move.slice(0, 2), move.slice(2, 4)]) {
      const { x, y } = await this.#middleOf(square, bottom);
      await this.page.touchscreen.tap(x, y);
    }
  }

  /** Types a move, once the one before it has been taken: Enter before that leaves the text where it is. */
  async type(move: string, within: Locator = this.page.locator('body')): Promise<void> {
    const form = within.locator('form', { has: this.page.getByLabel('Type a move') });
    await form.getByLabel('Type a move').fill(move);
    await form.locator('button:enabled').first().waitFor();
    await form.getByLabel('Type a move').press('Enter');
  }

  /** Says something to the others at the board. */
  async says(text: string): Promise<void> {
    await this.page.getByRole('tab', { name: /^Chat/ }).click();
    await this.page.getByLabel('Say something').fill(text);
    await this.page.getByRole('button', { name: 'Send' }).click();
  }

  /** Waits until exactly these moves stand on the score sheet. */
  async reads(...moves: string[]): Promise<void> {
    const sheet = this.page.locator('section[aria-label="Moves"] button');
    await expect.poll(() => sheet.allTextContents(), { timeout: PATIENCE_MS }).toEqual(moves);
  }

  /** Waits for a text on the page. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  async presses(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
  }

  async #middleOf(square: string, bottom: Color): Promise<{ x: number; y: number }> {
    const box = await this.page.locator('cg-board').boundingBox();
    if (box === null) throw new Error('there is no board');
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    const [column, row] = bottom === 'white' ? [file, 7 - rank] : [7 - file, rank];
    return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
  }
}

/** Two people at a game with a clock that no button offers; the first has White. */
export async function sitDownWith(browser: Browser, url: string, time: TimeControl): Promise<[Person, Person]> {
  const white = await Person.arrive(browser, url);
  const black = await Person.arrive(browser, url);
  const data = { time, color: 'white' };
  const created = await white.page.context().request.post('/api/v1/challenges', { data });
  const { id } = (await created.json()) as { id: string };
  await white.page.goto(`/${id}`);
  await black.accept(`${url}/${id}`);
  await Promise.all([white.sits(), black.sits()]);
  return [white, black];
}

/** Two people at a fresh game; the first has White. */
export async function sitDown(
  browser: Browser,
  url: string,
  options?: BrowserContextOptions,
): Promise<[Person, Person]> {
  const white = await Person.arrive(browser, url, options);
  const black = await Person.arrive(browser, url, options);
  const link = await white.invite();
  await black.accept(link);
  await Promise.all([white.sits(), black.sits()]);
  return [white, black];
}

/** A page is written before anybody asks for it, and answers a moment after it is seen: a press in between goes nowhere. */
function answersOnArrival(page: Page): void {
  const go = page.goto.bind(page);
  page.goto = async (...to) => {
    const answer = await go(...to);
    if (await page.evaluate(() => document.querySelector('link[rel="modulepreload"]') !== null))
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    return answer;
  };
}
