import { expect, test } from 'vitest';
import { nextPath, tokenOf } from './arrival';

function check(query: string, path: string): void {
  expect(nextPath(query)).toBe(path);
}

test('after logging in one goes on where one was, but never to another site', () => {
  check('?next=/account/security', '/account/security');
  check('?next=%2Fadmin%2Fusers%3Fquery%3Da', '/admin/users?query=a');
  check('', '/');
  check('?next=https://evil.example/', '/');
  check('?next=//evil.example/', '/');
  check('?next=/%5Cevil.example/', '/');
  check('?next=/%09/evil.example/', '/');
  check('?next=javascript:alert(1)', '/');
});

test('a link without a token has none', () => {
  expect(tokenOf('#abc-123')).toBe('abc-123');
  expect(tokenOf('#')).toBeNull();
  expect(tokenOf('')).toBeNull();
});
