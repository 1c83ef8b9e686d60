// The terms of a GMO game in words.
import type { GmoTerms } from '$lib/api/types';
import { t, tn } from '$lib/ui/text';

/** What rated games are played with: armies that cannot win with the first move. */
export const RATED_HOUSE_RULES = { max_blocks: 3, no_first_strike: true } as const;

/** The house rules, one by one; none where every genome may play. */
export function houseRules({
  max_blocks,
  no_first_strike,
}: Pick<GmoTerms, 'max_blocks' | 'no_first_strike'>): string[] {
  const rules = max_blocks > 0 ? [tn('gmo.max_blocks', max_blocks)] : [];
  return no_first_strike ? [...rules, t('gmo.no_first_strike')] : rules;
}
