import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '$lib/api/client';
import type { ImportView } from '$lib/api/types';
import { Imports, PIECE, type ImportDoor } from './imports.svelte';

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

async function bring(failures: ApiError[]): Promise<{ offsets: number[]; problems: unknown[]; state: string }> {
  const problems: unknown[] = [];
  const server = door(failures);
  const imports = new Imports(
    server.door,
    (error) => problems.push(error),
    () => Promise.resolve(),
  );
  await imports.bring('x.pgn', new Blob([new Uint8Array(PIECE + 10)]));
  imports.stop();
  return { offsets: server.offsets, problems, state: imports.list?.[0]?.state ?? '' };
}

describe('a file that is brought', () => {
  it('goes in pieces', async () => {
    expect(await bring([])).toEqual({ offsets: [0, PIECE], problems: [], state: 'done' });
  });

  it('goes on when the line was away for a moment', async () => {
    const away = new ApiError(0, 'offline', '');
    expect(await bring([away, away])).toEqual({ offsets: [0, PIECE], problems: [], state: 'done' });
  });

  it('asks where to go on when an answer was lost', async () => {
    expect(await bring([new ApiError(409, 'wrong_offset', '')])).toEqual({
      offsets: [0, PIECE],
      problems: [],
      state: 'done',
    });
  });

  it('goes on with what an earlier page has begun', async () => {
    const server = door([]);
    const file = new Blob([new Uint8Array(PIECE + 10)]);
    const begun = await server.door.begin('x.pgn', file.size);
    await server.door.send(begun.id, 0, file.slice(0, PIECE));
    const imports = new Imports(
      { ...server.door, begin: () => Promise.reject(new Error('it was begun before')) },
      (error) => {
        throw error;
      },
    );
    await imports.load();
    await imports.bring('x.pgn', file);
    imports.stop();
    expect(server.offsets).toEqual([0, PIECE]);
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
    await imports.bring('y.pgn', new Blob([new Uint8Array(20)]));
    await imports.bring('x.pgn', new Blob([new Uint8Array(21)]));
    imports.stop();
    expect(begun).toEqual(['y.pgn 20', 'x.pgn 21']);
  });

  it('ends when the server says no', async () => {
    const no = new ApiError(413, 'too_big', 'too big');
    expect((await bring([no])).problems).toEqual([no]);
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
