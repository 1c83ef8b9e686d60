import { expect, test } from 'vitest';
import { budgetsOf, isBudget, startOf } from './budgets';

test('budgets are written into the start position and read from it', () => {
  expect(startOf({ white: 20, black: 20 })).toBeNull();
  const start = startOf({ white: 5, black: 60 });
  expect(start).toBe('8/8/8/8/8/8/8/8 w - - 0 1 5/60');
  expect(budgetsOf(start ?? '')).toEqual({ white: 5, black: 60 });
  expect(budgetsOf('1bkb4/1rbr4/8/8/8/8/8/8 w - - 0 1 30/K')).toBeNull();
  expect(budgetsOf('8/8/8/8/8/8/8/8 w - - 0 1')).toBeNull();
});

test('two players have one to sixty points each', () => {
  expect([0, 1, 60, 61, 2.5, NaN].map(isBudget)).toEqual([false, true, true, false, false, false]);
});
