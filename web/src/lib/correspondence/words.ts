// Invitations and decisions in a line.
import type { Decision } from '$lib/api/correspondence';
import type { Challenge } from '$lib/api/types';
import { timeControlText } from '$lib/games/time';
import { resultReason } from '$lib/games/words';
import { t, tOr } from '$lib/ui/text';

/** The conditions of an invitation, as the one who looks at it would play: `3 d per move · Rated · You play White`. */
export function invitationTerms(challenge: Challenge): string {
  const color = challenge.color === 'random' ? null : mineIf(challenge);
  return [
    challenge.variant === 'standard' ? null : t(`players.variant.${challenge.variant}`),
    timeControlText(challenge.time),
    challenge.rated ? t('game.rated') : t('game.casual'),
    challenge.engines ? t('game.engines_allowed') : null,
    color === null ? t('challenge.random_color') : t('challenge.you_play', { color: t(`color.${color}`) }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

function mineIf({ color, is_mine }: Challenge): 'white' | 'black' {
  return (color === 'white') === is_mine ? 'white' : 'black';
}

/** What was decided, in a sentence. */
export function decisionText(decision: Decision): string {
  const what = tOr(`decision.${decision.act}`, 'decision.other');
  return decision.act === 'result' && decision.after !== null ? `${what}: ${resultText(decision.after)}` : what;
}

/** A result as on a score sheet, with its reason. */
export function resultText(outcome: NonNullable<Decision['after']>): string {
  const score =
    outcome.kind === 'draw' ? '½–½' : outcome.kind === 'aborted' ? '–' : outcome.winner === 'white' ? '1–0' : '0–1';
  return `${score} (${resultReason(outcome)})`;
}
