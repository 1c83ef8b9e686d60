import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Wish } from './engine.svelte';
import { LocalDesk, type Talker } from './local-engine.svelte';

const START = '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1';
const WISH: Wish = {
  position: { variant: 'standard', start: START, game: null, ply: null, moves: [] },
  lines: 1,
  aim: 'lines',
  engine: null,
};

/** An engine that only remembers what it was told. */
class Fake implements Talker {
  said: string[] = [];
  onmessage: Worker['onmessage'] = null;
  onerror: Worker['onerror'] = null;
  isEnded = false;
  postMessage(text: string): void {
    this.said.push(text);
  }
  terminate(): void {
    this.isEnded = true;
  }
  says(text: string): void {
    this.onmessage?.call(this as unknown as Worker, { data: text } as MessageEvent);
  }
}

/** A server that knows the position and writes the mate. */
const served = (moves: readonly string[]): unknown => ({
  start_fen: START,
  fen: START,
  to_act: 'white',
  check: null,
  moves: moves.map((uci) => ({ uci, san: uci === 'd1d8' ? 'Rd8#' : uci })),
});

function serve(answer: (moves: string[]) => Response): void {
  vi.stubGlobal('fetch', (_: string, asked: RequestInit) => {
    const { moves } = JSON.parse(asked.body as string) as { moves: string[] };
    return Promise.resolve(answer(moves));
  });
}

afterEach(() => vi.unstubAllGlobals());

describe('the engine in this browser', () => {
  test('it tells lines as people write them', async () => {
    serve((moves) => Response.json(served(moves)));
    const engine = new Fake();
    const desk = new LocalDesk(() => engine);
    desk.ask(WISH);
    await vi.waitFor(() => expect(engine.said).toContain(`position fen ${START}`));
    engine.says('info depth 2 multipv 1 score mate 1 nodes 100 nps 1000 pv d1d8');
    await vi.waitFor(() => expect(desk.told?.lines[0]?.san).toEqual(['Rd8#']));
    expect(desk.told?.lines[0]?.score).toEqual({ kind: 'mate', value: 1 });
    engine.says('bestmove d1d8');
    await vi.waitFor(() => expect(desk.state).toMatchObject({ kind: 'done', best: 'd1d8' }));
    desk.close();
    expect(engine.isEnded).toBe(true);
  });

  test('where the server says no for the sake of fair play, it is not even started', async () => {
    const refusal = { code: 'fair_play', detail: 'a rated game of yours is at stake', title: '', status: 403 };
    serve(() => Response.json(refusal, { status: 403 }));
    const begin = vi.fn(() => new Fake());
    const desk = new LocalDesk(begin);
    desk.ask(WISH);
    await vi.waitFor(() => expect(desk.state).toMatchObject({ kind: 'refused', code: 'fair_play' }));
    expect(begin).not.toHaveBeenCalled();
  });

  const searches = (engine: Fake) => engine.said.filter((text) => text.startsWith('go')).length;

  test('what an older question still says is not shown with a newer one, which waits for its end', async () => {
    serve((moves) => Response.json(served(moves)));
    const engine = new Fake();
    const desk = new LocalDesk(() => engine);
    desk.ask(WISH);
    await vi.waitFor(() => expect(searches(engine)).toBe(1));
    desk.ask({ ...WISH, lines: 2 });
    expect(engine.said.at(-1)).toBe('stop');
    await new Promise((resolve) => setTimeout(resolve, 50));
    engine.says('info depth 9 score cp 900 nodes 1 nps 1 pv d1d7');
    expect(desk.state).toBeNull();
    expect(engine.said.at(-1)).toBe('stop');
    engine.says('bestmove d1d7');
    await vi.waitFor(() => expect(searches(engine)).toBe(2));
    engine.says('info depth 1 score cp 30 nodes 1 nps 1 pv d1d8');
    await vi.waitFor(() => expect(desk.told?.depth).toBe(1));
    desk.close();
  });

  test('an engine that does not stop is replaced', async () => {
    serve((moves) => Response.json(served(moves)));
    const engines: Fake[] = [];
    const desk = new LocalDesk(() => {
      const engine = new Fake();
      engines.push(engine);
      return engine;
    });
    desk.ask(WISH);
    await vi.waitFor(() => expect(engines.map(searches)).toEqual([1]));
    desk.ask({ ...WISH, lines: 2 });
    await vi.waitFor(() => expect(engines.map(searches)).toEqual([1, 1]), { timeout: 5_000 });
    expect(engines.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    engines[1]?.says('info depth 1 score cp 30 nodes 1 nps 1 pv d1d8');
    await vi.waitFor(() => expect(desk.told?.depth).toBe(1));
    desk.close();
  });

  test('it asks the server no more than twice a second, however many lines there are', async () => {
    vi.useFakeTimers();
    try {
      let asked = 0;
      serve((moves) => {
        asked += 1;
        return Response.json(served(moves));
      });
      const engine = new Fake();
      const desk = new LocalDesk(() => engine);
      desk.ask({ ...WISH, lines: 5 });
      await vi.advanceTimersByTimeAsync(0);
      expect(engine.said).toContain(`position fen ${START}`);
      for (let tenth = 0; tenth < 100; tenth += 1) {
        for (let rank = 1; rank <= 5; rank += 1) {
          const other = 'abcdefgh'[tenth % 8] ?? 'a';
          engine.says(
            `info depth ${tenth} multipv ${rank} score cp ${rank} nodes 1 nps 1 pv d1d${rank + 1} ${other}7${other}6`,
          );
        }
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(asked).toBeLessThanOrEqual(22);
      expect(desk.told?.lines.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
      desk.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('a server that was asked too much is asked again', async () => {
    vi.useFakeTimers();
    try {
      let asked = 0;
      serve((moves) => {
        asked += 1;
        const isTooMuch = asked === 1 || asked === 3;
        const refusal = { code: 'too_many_requests', detail: 'slowly', title: '', status: 429 };
        return isTooMuch ? Response.json(refusal, { status: 429 }) : Response.json(served(moves));
      });
      const engine = new Fake();
      const desk = new LocalDesk(() => engine);
      desk.ask(WISH);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(engine.said).toContain(`position fen ${START}`);
      engine.says('info depth 2 multipv 1 score mate 1 nodes 100 nps 1000 pv d1d8');
      await vi.advanceTimersByTimeAsync(5_000);
      expect(desk.told?.lines[0]?.san).toEqual(['Rd8#']);
      expect(desk.state).toEqual({ kind: 'running' });
      desk.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
