import { describe, expect, it } from 'vitest';
import { scoreFor } from './event-room.svelte';

describe('a result seen from one side', () => {
  it.each([
    ['1-0', '1', '0'],
    ['1/2-1/2', '½', '½'],
    ['0-1/2', '0', '½'],
    ['+-', '+', '-'],
    ['--', '-', '-'],
    [null, '', ''],
  ])('%s', (result, white, black) => {
    expect([scoreFor(result, true), scoreFor(result, false)]).toEqual([white, black]);
  });
});
