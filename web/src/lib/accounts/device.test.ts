import { expect, it } from 'vitest';
import { deviceText, knownDevice } from './device';

const check = (agent: string, browser: string, system: string): void =>
  expect(knownDevice(agent)).toEqual({ browser, system });

it('tells browsers apart though they all claim to be the others', () => {
  check(
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  );
  check(
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge',
    'Windows',
  );
  check(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari',
    'macOS',
  );
  check(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  );
  check('Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox', 'Android');
});

it('leaves what it does not know as it is', () => {
  expect(knownDevice('curl/8.9.1')).toBeNull();
  expect(deviceText('curl/8.9.1')).toBe('curl/8.9.1');
  expect(deviceText('')).toBe('Unknown device');
});
