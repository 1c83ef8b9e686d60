import { expect, test } from 'vitest';
import type { GameView, Me } from '$lib/api/types';
import { isOwnLibrary } from './library';

const person = (id: string, guest: boolean) => ({ id, name: id, guest }) as GameView['players']['white'];
const me = (id: string, guest: boolean) => ({ id, name: id, guest }) as NonNullable<Me['account']>;

function check(black: GameView['players']['white'], host: ReturnType<typeof me>, one_computer: boolean): boolean {
  return isOwnLibrary({ one_computer, players: { white: person('anna', false), black } }, 'black', host);
}

test('what a member keeps is offered to nobody else at the same screen', () => {
  expect(check(person('bert', false), me('anna', false), true)).toBe(false);
  expect(check(person('kari', true), me('anna', false), true)).toBe(false);
  expect(check(person('bert', false), me('bert', false), true)).toBe(true);
  expect(check(person('kari', true), me('ola', true), true)).toBe(true);
  expect(check(person('bert', false), me('ola', true), true)).toBe(false);
  expect(check(person('bert', false), me('bert', false), false)).toBe(true);
});
