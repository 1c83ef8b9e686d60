import { describe, expect, it } from 'vitest';
import { localHours } from './hours';

const at = (name: string, wins: number): { name: string; wins: number; draws: number; losses: number } => ({
  name,
  wins,
  draws: 0,
  losses: 0,
});

describe('hours of the day', () => {
  const told = (offset: number): string =>
    localHours([at('00', 1), at('09', 2), at('23', 3)], offset)
      .map(({ name, wins }) => `${name}:${wins}`)
      .join(' ');

  it('are those of the place where they are read', () => {
    expect(told(0)).toBe('00:1 09:2 23:3');
    expect(told(120)).toBe('01:3 02:1 11:2');
    expect(told(-300)).toBe('04:2 18:3 19:1');
    expect(told(330)).toBe('05:3 06:1 15:2');
  });
});
