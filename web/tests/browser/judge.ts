// What every page has to stand: axe, narrow screens, thumbs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
export const DARK: BrowserContextOptions = { colorScheme: 'dark' };

/** What axe finds wrong, by rule and place. */
async function findings(page: Page, rules: string[]): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: { run(options: import('axe-core').RunOptions): Promise<import('axe-core').AxeResults> };
    };
    const { violations } = await axe.run(only.length === 0 ? {} : { runOnly: only });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}

/** Nothing for axe to complain about, by all its rules or by these, and nothing wider than the screen. */
export async function checkPage(page: Page, ...rules: string[]): Promise<void> {
  expect(await findings(page, rules)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** What one can press and is too small for a thumb. */
export function tooSmall(page: Page): Promise<string[]> {
  return page.locator('main button:visible, main a:visible, nav a:visible').evaluateAll((all) =>
    all
      .map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 40)
      .map(({ name, box }) => `${name} ${box.width} × ${box.height}`),
  );
}
