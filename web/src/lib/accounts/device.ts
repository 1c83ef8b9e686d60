// A browser in words: what it says of itself is long, and means little to people.
import { t } from '$lib/ui/text';

/** The more particular first: most browsers also claim to be the others. */
const BROWSERS: ReadonlyArray<[RegExp, string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];
const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser and its system by what it says of itself; null if it is none that we know. */
export function knownDevice(agent: string): { browser: string; system: string } | null {
  const find = (known: typeof BROWSERS) => known.find(([mark]) => mark.test(agent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  return browser === undefined || system === undefined ? null : { browser, system };
}

/** A browser as people call it, or else as it calls itself. */
export function deviceText(agent: string): string {
  const known = knownDevice(agent);
  return known === null ? agent || t('sessions.unknown_device') : t('sessions.device', known);
}
