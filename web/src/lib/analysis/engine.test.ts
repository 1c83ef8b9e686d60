import { describe, expect, it } from 'vitest';
import type { ClientMsg, ServerMsg } from '$lib/api/types';
import { EngineDesk, type Wish } from './engine.svelte';

const wish = (moves: string[]): Wish => ({
  position: { variant: 'standard', start: null, game: null, ply: null, moves },
  lines: 1,
  aim: 'lines',
  engine: null,
});

function open(): { desk: EngineDesk; sent: ClientMsg[] } {
  const sent: ClientMsg[] = [];
  const desk = new EngineDesk({
    send: (message) => {
      sent.push(message);
      return true;
    },
  });
  return { desk, sent };
}

const lines = (id: number, depth: number): ServerMsg => ({
  t: 'engine_lines',
  id,
  depth,
  nodes: 1,
  speed: 1,
  lines: [],
});

describe('the engine desk', () => {
  it('hears only of the newest question', () => {
    const { desk, sent } = open();
    desk.ask(wish([]));
    desk.receive(lines(1, 5));
    expect(desk.told?.depth).toBe(5);
    desk.ask(wish(['e2e4']));
    expect(desk.told).toBeNull();
    desk.receive(lines(1, 9));
    expect(desk.told).toBeNull();
    desk.receive(lines(2, 3));
    expect(desk.told?.depth).toBe(3);
    expect(sent.map((message) => message.t)).toEqual(['analyse', 'analyse']);
  });

  it('keeps what was said when it is stopped', () => {
    const { desk, sent } = open();
    desk.ask(wish([]));
    desk.receive(lines(1, 5));
    desk.stop();
    desk.receive(lines(1, 6));
    expect(desk.told?.depth).toBe(5);
    expect(sent.at(-1)?.t).toBe('stop_analysis');
  });

  it('asks again after a break of the line, unless all was said', () => {
    const { desk, sent } = open();
    desk.rejoined();
    expect(sent).toHaveLength(0);
    desk.ask(wish([]));
    desk.rejoined();
    expect(sent).toHaveLength(2);
    desk.receive({ t: 'analysis_state', id: 2, state: { kind: 'done', engine: 'builtin', best: 'e2e4' } });
    desk.rejoined();
    expect(sent).toHaveLength(2);
  });
});
