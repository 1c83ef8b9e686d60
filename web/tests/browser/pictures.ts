// What the files that draw pictures share: where they go, for which screens, and games to be seen on them.
import { join } from 'node:path';
import type { APIRequestContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Challenge, NewChallenge } from '../../src/lib/api/types';

export const IMAGES = join(import.meta.dirname, '../../../docs/images');

/** By name: a desk, a phone, a desk at night. */
export const SCREENS: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
};

/** Draws a page as large as people see it, not as fine: a phone's picture has a quarter of its pixels. */
export async function shootSmall(page: Page, name: string, screen: string): Promise<void> {
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(IMAGES, `${name}-${screen}.png`), scale: 'css' });
}

/** Two people at a game; gives its id. */
export async function begin(
  white: APIRequestContext,
  black: APIRequestContext,
  terms: Partial<NewChallenge> = {},
): Promise<string> {
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 5_000 };
  const created = await white.post('/api/v1/challenges', { data: { time, color: 'white', ...terms } });
  const { id } = (await created.json()) as Challenge;
  await black.post(`/api/v1/challenges/${id}/acceptance`);
  return id;
}

/** Plays moves from a ply on; `first` is the side that makes the first of them. */
export async function act(
  sides: readonly APIRequestContext[],
  id: string,
  acts: readonly string[],
  from = 0,
  first = from % 2,
): Promise<void> {
  for (const [i, uci] of acts.entries()) {
    const played = await sides[(first + i) % 2]?.post(`/api/v1/games/${id}/moves`, { data: { ply: from + i, uci } });
    if (played?.ok() !== true) throw new Error(`${uci} was refused: ${await played?.text()}`);
  }
}

/** Plays an opening between two people; gives the game's id. */
export async function play(white: APIRequestContext, black: APIRequestContext, opening: string): Promise<string> {
  const id = await begin(white, black);
  await act([white, black], id, opening.split(' '));
  return id;
}
