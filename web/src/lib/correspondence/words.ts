// Invitations and decisions in a line.
import type { Decision } from '$lib/api/correspondence';
import type { Challenge, TimeControl } from '$lib/api/types';
import { clockText, spanText, timeControlText } from '$lib/games/time';
import { resultReason } from '$lib/games/words';
import { t, tn, tOr } from '$lib/ui/text';

/** The conditions of an invitation, as the one who looks at it would play: `3 d per move · Rated · You play White`. */
export function invitationTerms(challenge: Challenge): string {
  const color = challenge.color === 'random' ? null : mineIf(challenge);
  return [
    challenge.variant === 'standard' ? null : t(`players.variant.${challenge.variant}`),
    timeControlText(challenge.time),
    ...dayTerms(challenge.time),
    challenge.rated ? t('game.rated') : t('game.casual'),
    challenge.engines ? t('game.engines_allowed') : null,
    color === null ? t('challenge.random_color') : t('challenge.you_play', { color: t(`color.${color}`) }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** What else is agreed on about the time of a game over days: what a bank holds at most, leave, weekends. */
export function dayTerms(time: TimeControl): string[] {
  if (time.kind !== 'days') return [];
  const terms = [
    time.cap_ms === null ? null : t('time.cap_of', { span: spanText(time.cap_ms) }),
    time.leave_days > 0 ? tn('time.leave_of', time.leave_days) : t('time.no_leave'),
    time.weekends_free ? t('time.weekends_short') : null,
  ];
  return terms.filter((term) => term !== null);
}

function mineIf({ color, is_mine }: Challenge): 'white' | 'black' {
  return (color === 'white') === is_mine ? 'white' : 'black';
}

/** What was decided, in a sentence. */
export function decisionText(decision: Decision): string {
  const what = tOr(`decision.${decision.act}`, 'decision.other');
  if (decision.clocks !== null) return `${what}: ${clocksText(decision.clocks)}`;
  return decision.act === 'result' && decision.after !== null ? `${what}: ${resultText(decision.after)}` : what;
}

/** What both clocks were set to: `White 0:05:00, Black 2d 5h`. */
export function clocksText(clocks: NonNullable<Decision['clocks']>): string {
  return (['white', 'black'] as const)
    .map((color) => ({ color, ms: clocks[color] }))
    .filter(({ ms }) => ms !== null)
    .map(({ color, ms }) => `${t(`color.${color}`)} ${clockText(ms ?? 0)}`)
    .join(', ');
}

/** A result as on a score sheet, with its reason. */
export function resultText(outcome: NonNullable<Decision['after']>): string {
  const score =
    outcome.kind === 'draw' ? '½–½' : outcome.kind === 'aborted' ? '–' : outcome.winner === 'white' ? '1–0' : '0–1';
  return `${score} (${resultReason(outcome)})`;
}
