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

  test('what an older question still says is not shown with a newer one', async () => {
    serve((moves) => Response.json(served(moves)));
    const engine = new Fake();
    const desk = new LocalDesk(() => engine);
    desk.ask(WISH);
    await vi.waitFor(() => expect(engine.said.filter((text) => text.startsWith('go'))).toHaveLength(1));
    desk.ask({ ...WISH, lines: 2 });
    await vi.waitFor(() => expect(engine.said.filter((text) => text.startsWith('go'))).toHaveLength(2));
    expect(engine.said).toContain('stop');
    engine.says('info depth 9 score cp 900 nodes 1 nps 1 pv d1d7');
    expect(desk.state).toBeNull();
    engine.says('bestmove d1d7');
    engine.says('info depth 1 score cp 30 nodes 1 nps 1 pv d1d8');
    await vi.waitFor(() => expect(desk.told?.depth).toBe(1));
  });
});
