import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '$lib/api/client';
import type { ImportView } from '$lib/api/types';
import { FIRST_PIECE, Imports, type ImportDoor } from './imports.svelte';

const view = (part: Partial<ImportView>): ImportView => ({
  id: 1,
  file_name: 'x.pgn',
  state: 'uploading',
  bytes: 0,
  bytes_arrived: 0,
  bytes_done: 0,
  games: 0,
  duplicates: 0,
  bad: 0,
  problem: '',
  created_at: 0,
  ended_at: null,
  ...part,
});

/** A server that takes pieces, and fails where it is told to. */
function door(failures: ApiError[]): { door: ImportDoor; offsets: number[] } {
  let one = view({});
  const offsets: number[] = [];
  return {
    offsets,
    door: {
      list: () => Promise.resolve({ imports: [one] }),
      begin: (_name, bytes) => Promise.resolve((one = view({ bytes }))),
      get: () => Promise.resolve(one),
      end: () => Promise.resolve((one = view({ ...one, state: 'cancelled', ended_at: 1 }))),
      send: (_id, offset, piece) => {
        const failure = failures.shift();
        if (failure?.code !== undefined && failure.code !== 'wrong_offset') return Promise.reject(failure);
        offsets.push(offset);
        const arrived = offset + piece.size;
        one = view({
          ...one,
          bytes_arrived: arrived,
          state: arrived === one.bytes ? 'done' : 'uploading',
          ended_at: 1,
        });
        return failure === undefined ? Promise.resolve(one) : Promise.reject(failure);
      },
    },
  };
}

const FILE = new File([new Uint8Array(FIRST_PIECE + 10)], 'x.pgn');

async function bring(
  failures: ApiError[],
): Promise<{ offsets: number[]; problems: unknown[]; state: string; waits: number[]; isThere: boolean }> {
  const [problems, waits]: [unknown[], number[]] = [[], []];
  const server = door(failures);
  const imports = new Imports(
    server.door,
    (error) => problems.push(error),
    (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  );
  const isThere = await imports.bring('x.pgn', FILE);
  imports.stop();
  return { offsets: server.offsets, problems, state: imports.list?.[0]?.state ?? '', waits, isThere };
}

/** How long the pieces of a file of 3 MiB are on a line that takes so many milliseconds for a mebibyte. */
async function pieces(msPerMiB: number): Promise<number[]> {
  const server = door([]);
  const lengths: number[] = [];
  let now = 0;
  const imports = new Imports(
    {
      ...server.door,
      send: (id, offset, piece) => {
        lengths.push(piece.size >> 10);
        now += (piece.size / (1 << 20)) * msPerMiB;
        return server.door.send(id, offset, piece);
      },
    },
    (error) => {
      throw error;
    },
    () => Promise.resolve(),
    () => now,
  );
  await imports.bring('x.pgn', new Blob([new Uint8Array(3 << 20)]));
  imports.stop();
  return lengths;
}

const WHOLE = { offsets: [0, FIRST_PIECE], problems: [], state: 'done', waits: [], isThere: true };

describe('a file that is brought', () => {
  it('goes in pieces', async () => {
    expect(await bring([])).toEqual(WHOLE);
  });

  it('goes in pieces as long as its line can take', async () => {
    expect(await pieces(100)).toEqual([256, 512, 1024, 1280]);
    // A megabit in eight seconds: no piece may take the half minute that the server waits.
    const slow = await pieces(64_000);
    expect(slow.slice(0, 4)).toEqual([256, 128, 128, 128]);
  });

  it('goes on in shorter pieces when the line was away or too slow', async () => {
    for (const trouble of [new ApiError(0, 'offline', ''), new ApiError(408, 'unknown', '')]) {
      const told = await bring([trouble, trouble]);
      expect(told.offsets.slice(0, 2)).toEqual([0, FIRST_PIECE / 4]);
      expect([told.problems, told.state, told.waits]).toEqual([[], 'done', [1_000, 2_000]]);
    }
  });

  it('waits as long as a busy server wants', async () => {
    const busy = new ApiError(429, 'too_many_requests', '', [], 7_000);
    expect(await bring([busy])).toEqual({ ...WHOLE, waits: [7_000] });
  });

  it('asks where to go on when an answer was lost', async () => {
    expect(await bring([new ApiError(409, 'wrong_offset', '')])).toEqual(WHOLE);
  });

  it('goes on with what an earlier page has begun', async () => {
    const server = door([]);
    const begun = await server.door.begin('x.pgn', FILE.size);
    await server.door.send(begun.id, 0, FILE.slice(0, FIRST_PIECE));
    const imports = new Imports(
      { ...server.door, begin: () => Promise.reject(new Error('it was begun before')) },
      (error) => {
        throw error;
      },
    );
    await imports.load();
    await imports.bring('x.pgn', FILE);
    imports.stop();
    expect(server.offsets).toEqual([0, FIRST_PIECE]);
    expect(imports.sending).toEqual([]);
  });

  it('is another one if its name or its length differs', async () => {
    const server = door([]);
    await server.door.begin('x.pgn', 20);
    const begun: string[] = [];
    const begin: ImportDoor['begin'] = (name, bytes) => {
      begun.push(`${name} ${bytes}`);
      return server.door.begin(name, bytes);
    };
    const imports = new Imports({ ...server.door, begin }, () => undefined);
    await imports.bring('y.pgn', new File([new Uint8Array(20)], 'y.pgn'));
    await imports.bring('x.pgn', new File([new Uint8Array(21)], 'x.pgn'));
    // Texts that are pasted all have one name.
    await server.door.begin('x.pgn', 22);
    await imports.bring('x.pgn', new Blob([new Uint8Array(22)]));
    imports.stop();
    expect(begun).toEqual(['y.pgn 20', 'x.pgn 21', 'x.pgn 22']);
  });

  it('ends when the server says no', async () => {
    const no = new ApiError(413, 'too_big', 'too big');
    expect(await bring([no])).toMatchObject({ problems: [no], isThere: false });
  });
});

describe('an import that runs', () => {
  it('tells its speed by the time that has passed', async () => {
    vi.useFakeTimers();
    let [now, games] = [0, 0];
    const running = (): ImportView => view({ state: 'running', games });
    const imports = new Imports(
      {
        ...door([]).door,
        list: () => Promise.resolve({ imports: [running()] }),
        get: () => Promise.resolve(running()),
      },
      () => undefined,
      () => Promise.resolve(),
      () => now,
    );
    await imports.load();
    await vi.advanceTimersByTimeAsync(500);
    expect(imports.speeds[1]).toBeUndefined();
    // The second look was late: its answer came after two seconds.
    [now, games] = [2_000, 6_000];
    await vi.advanceTimersByTimeAsync(500);
    expect(imports.speeds[1]).toBe(3_000);
    imports.stop();
    vi.useRealTimers();
  });
});
