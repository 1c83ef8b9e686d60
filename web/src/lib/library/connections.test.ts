import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionView } from '$lib/api/types';
import { Connections, isBusy, skippedReasons, type ConnectionDoor } from './connections.svelte';

const view = (part: Partial<ConnectionView>): ConnectionView => ({
  id: 1,
  service: 'lichess',
  name: 'anna',
  state: 'unproven',
  code: 'rookery-abc',
  has_token: false,
  done: 0,
  total: 0,
  games: 0,
  skipped: 0,
  skipped_variants: [],
  problem: null,
  synced_at: null,
  next_at: null,
  ...part,
});

function door(states: Partial<ConnectionView>[]): { door: ConnectionDoor; looks: () => number } {
  let looks = 0;
  const next = (): ConnectionView => view(states[Math.min(looks++, states.length - 1)] ?? {});
  return {
    looks: () => looks,
    door: {
      list: () => Promise.resolve({ services: ['lichess'], connections: [next()] }),
      connect: () => Promise.reject(new Error('no')),
      prove: () => Promise.resolve(view({})),
      sync: () => Promise.resolve(view({})),
      disconnect: () => Promise.resolve(),
    },
  };
}

describe('connected accounts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are looked at while something happens, and no longer', async () => {
    const { door: site, looks } = door([{ state: 'checking' }, { state: 'syncing' }, { state: 'waiting', games: 9 }]);
    const connections = new Connections(site, () => undefined);
    await connections.prove(1, null);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks()).toBe(3);
    expect(connections.list?.connections[0]?.games).toBe(9);
  });

  it('are not looked at after the page is left', async () => {
    const { door: site, looks } = door([{ state: 'syncing' }]);
    const connections = new Connections(site, () => undefined);
    await connections.load();
    connections.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looks()).toBe(1);
  });

  it('say when something was refused', async () => {
    const failed = vi.fn();
    const connections = new Connections(door([{}]).door, failed);
    expect(await connections.connect('lichess', 'anna')).toBe(false);
    expect(failed).toHaveBeenCalledOnce();
  });

  it('are busy when the site is asked in a moment', () => {
    expect(isBusy(view({ state: 'waiting', next_at: 9_000 }), 0)).toBe(true);
    expect(isBusy(view({ state: 'waiting', next_at: 60_000 }), 0)).toBe(false);
    expect(isBusy(view({}), 0)).toBe(false);
  });
});

describe('games that were left out', () => {
  it('says of which variants they are, and how many cannot be read', () => {
    const skipped_variants = [
      { variant: 'Atomic', games: 2 },
      { variant: 'Crazyhouse', games: 1 },
    ];
    expect(skippedReasons(view({ skipped: 6, skipped_variants }))).toEqual([
      '2 of Atomic, which is not played here',
      '1 of Crazyhouse, which is not played here',
      '3 that cannot be read',
    ]);
    expect(skippedReasons(view({ skipped: 3, skipped_variants }))).toHaveLength(2);
  });
});
