import { expect, test } from 'vitest';
import { houseRules, RATED_HOUSE_RULES } from './words';

test('house rules are told one by one, and nothing is told where everything goes', () => {
  expect(houseRules({ max_blocks: 0, no_first_strike: false })).toEqual([]);
  expect(houseRules({ max_blocks: 1, no_first_strike: false })).toEqual(['At most 1 block a genome']);
  expect(houseRules(RATED_HOUSE_RULES)).toEqual(['At most 3 blocks a genome', 'No hit on the first move']);
});
