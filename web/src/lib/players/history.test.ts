import { expect, test } from 'vitest';
import type { HistoryPage } from '$lib/api/types';
import { EVERYTHING, History, historyQuery, readQuery } from './history.svelte';

/** Three pages that know only where they begin and how to go on. */
const PAGES: Record<string, string | null> = { '': 'b', 'before=b': 'c', 'before=c': null };

function open(asked: string[], failures: unknown[] = []): History {
  const fetchPage = (query: string): Promise<HistoryPage> => {
    asked.push(query);
    const next = PAGES[query];
    if (next === undefined) return Promise.reject(new Error(query));
    return Promise.resolve({ games: [], next });
  };
  return new History(fetchPage, (error) => failures.push(error));
}

test('one goes to the end and back, page by page', async () => {
  const asked: string[] = [];
  const history = open(asked);
  await history.show(EVERYTHING);
  expect([history.hasNewer, history.hasOlder]).toEqual([false, true]);
  await history.older();
  await history.older();
  expect([history.hasNewer, history.hasOlder]).toEqual([true, false]);
  await history.older();
  await history.newer();
  await history.newer();
  expect(asked).toEqual(['', 'before=b', 'before=c', 'before=b', '']);
  expect(history.hasNewer).toBe(false);
});

test('a filter begins at the first page and sends only what is set', () => {
  expect(historyQuery({ ...EVERYTHING, result: 'won', opponent: ' Anna ' }, null)).toBe('result=won&opponent=Anna');
  expect(historyQuery(EVERYTHING, '5-abc')).toBe('before=5-abc');
});

test('an address leads back to the same page, from where one gets to the newest', async () => {
  const filter = { ...EVERYTHING, result: 'won', opponent: 'Anna & co' };
  const query = historyQuery(filter, '5-abc');
  expect(readQuery(new URLSearchParams(query))).toEqual({ filter, before: '5-abc' });
  expect(readQuery(new URLSearchParams('tab=x'))).toEqual({ filter: EVERYTHING, before: null });
  const asked: string[] = [];
  const history = open(asked);
  await history.show(EVERYTHING, 'b');
  expect([history.hasNewer, history.hasOlder]).toEqual([true, true]);
  await history.newer();
  expect(asked).toEqual(['before=b', '']);
});

test('every page that is shown tells its address', async () => {
  const told: string[] = [];
  const page = (query: string): Promise<HistoryPage> =>
    query === 'color=white' ? Promise.reject(new Error(query)) : Promise.resolve({ games: [], next: 'b' });
  const history = new History(
    page,
    () => undefined,
    (query) => told.push(query),
  );
  await history.show(EVERYTHING);
  await history.older();
  await history.show({ ...EVERYTHING, color: 'white' });
  await history.show({ ...EVERYTHING, color: 'black' });
  expect(told).toEqual(['', 'before=b', 'color=black']);
});

test('what could not be fetched leaves the page as it was', async () => {
  const failures: unknown[] = [];
  const history = open([], failures);
  await history.show(EVERYTHING);
  await history.show({ ...EVERYTHING, color: 'white' });
  expect(failures).toHaveLength(1);
  expect(history.page?.next).toBe('b');
  expect(history.isLoading).toBe(false);
});

test('an answer that comes too late is passed over', async () => {
  const waiting: ((page: HistoryPage) => void)[] = [];
  const history = new History(
    () => new Promise((answer) => waiting.push(answer)),
    () => undefined,
  );
  const first = history.show(EVERYTHING);
  const second = history.show({ ...EVERYTHING, color: 'white' });
  waiting[1]?.({ games: [], next: 'new' });
  await second;
  waiting[0]?.({ games: [], next: 'old' });
  await first;
  expect(history.page?.next).toBe('new');
});
