// What the files that draw pictures share: where they go, for which screens, and games to be seen on them.
import { join } from 'node:path';
import type { APIRequestContext, BrowserContextOptions } from 'playwright-core';
import type { Challenge } from '../../src/lib/api/types';

export const IMAGES = join(import.meta.dirname, '../../../docs/images');

/** By name: a desk, a phone, a desk at night. */
export const SCREENS: Record<string, BrowserContextOptions> = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
};

/** Plays an opening between two people; gives the game's id. */
export async function play(white: APIRequestContext, black: APIRequestContext, opening: string): Promise<string> {
  const time = { kind: 'fischer', initial_ms: 600_000, increment_ms: 5_000 };
  const created = await white.post('/api/v1/challenges', { data: { time, color: 'white' } });
  const { id } = (await created.json()) as Challenge;
  await black.post(`/api/v1/challenges/${id}/acceptance`);
  for (const [ply, uci] of opening.split(' ').entries()) {
    const played = await (ply % 2 === 0 ? white : black).post(`/api/v1/games/${id}/moves`, { data: { ply, uci } });
    if (!played.ok()) throw new Error(`${uci} was refused: ${await played.text()}`);
  }
  return id;
}
