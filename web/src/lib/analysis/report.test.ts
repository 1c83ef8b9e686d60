import { describe, expect, test } from 'vitest';
import type { ReportView, ServerMsgOf } from '$lib/api/types';
import { Report } from './report.svelte';

const view = (state: ReportView['state'], ahead = 0): ReportView => ({
  state,
  ahead,
  done: 0,
  total: 9,
  problem: null,
  is_mine: true,
  report: null,
});

const said = (state: ReportView['state']): ServerMsgOf<'report_progress'> => ({
  t: 'report_progress',
  game: 'AAAAAAAA',
  state,
  done: 3,
  total: 9,
});

/** A server that answers when the test says so, the oldest question first unless it says which. */
function begin() {
  const open: { resolve: (view: ReportView) => void; reject: (error: Error) => void }[] = [];
  const question = () => new Promise<ReportView>((resolve, reject) => open.push({ resolve, reject }));
  const failures: unknown[] = [];
  const door = { look: question, ask: question, cancel: () => Promise.resolve() };
  const report = new Report(door, (error) => failures.push(error));
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    report,
    failures,
    open,
    answer: async (which: number, view: ReportView) => {
      open[which]?.resolve(view);
      await settle();
    },
    refuse: async (which: number) => {
      open[which]?.reject(new Error('the server is away'));
      await settle();
    },
  };
}

describe('a report on its way', () => {
  test('an answer that comes late does not take back what is newer', async () => {
    const { report, answer } = begin();
    void report.ask();
    report.hear(said('done'));
    await answer(1, view('done'));
    await answer(0, view('waiting'));
    expect(report.view?.state).toBe('done');
    expect(report.isBusy).toBe(false);
  });

  test('one that others are put before, or that is called off elsewhere, is looked up', async () => {
    const { report, open, answer } = begin();
    void report.look();
    await answer(0, view('waiting'));
    report.hear(said('running'));
    expect(report.view).toMatchObject({ state: 'running', done: 3, total: 9 });
    expect(open).toHaveLength(1);
    report.hear(said('waiting'));
    await answer(1, view('waiting', 2));
    expect(report.view).toMatchObject({ state: 'waiting', ahead: 2 });
    report.hear(said('none'));
    await answer(2, view('none'));
    expect(report.isAwaited).toBe(false);
  });

  test('who follows it is not told of every moment in which the server is away', async () => {
    const { report, failures, answer, refuse } = begin();
    void report.look();
    await answer(0, view('waiting', 3));
    void report.follow();
    expect(report.isBusy).toBe(false);
    await refuse(1);
    expect(failures).toEqual([]);
    void report.follow();
    await answer(2, view('waiting', 1));
    expect(report.view?.ahead).toBe(1);
    void report.ask();
    await refuse(3);
    expect(failures).toHaveLength(1);
  });
});
