// Events in words: states, systems, results.
import type { ByeKind, Cell, EntrantView, EventView, EventScore, System } from '$lib/api/types';
import { t, tn, tOr } from '$lib/ui/text';

/** A state as people say it. */
export const stateName = (state: string): string => tOr(`events.state.${state}`, 'events.state.draft');

/** A system as people say it. */
export const systemName = (system: System): string => t(`events.system.${system}`);

/** A result as score sheets write it. */
export function scoreText(score: EventScore | null): string {
  if (score === null) return '–';
  if (FORFEITS.includes(score)) return [...score].map((sign) => (sign === '-' ? '–' : sign)).join(' ');
  return score.replaceAll('1/2', '½').replace('-', ' – ');
}

/** What a player, an arbiter can enter; the unusual ones last. */
export const USUAL: readonly EventScore[] = ['1-0', '1/2-1/2', '0-1'];
export const FORFEITS: readonly EventScore[] = ['+-', '-+', '--'];
export const UNUSUAL: readonly EventScore[] = ['0-0', '1/2-0', '0-1/2'];

/** A bye in the cross table: its points. */
export function byeText(bye: ByeKind): string {
  return t(`events.bye.${bye}`);
}

/** A round of a player in the cross table, for ears: who, which colour, how. */
export function cellText(cell: Cell, name: (number: number) => string): string {
  if (cell.opponent === null) return cell.bye === null ? t('events.cell.absent') : byeText(cell.bye);
  const color = cell.color === 'black' ? t('color.black') : t('color.white');
  return t('events.cell.game', { name: name(cell.opponent), color, score: cell.score || t('events.cell.open') });
}

/** The name of a player with the title before it. */
export const titled = (player: EntrantView | undefined): string =>
  player === undefined ? '?' : [player.title, player.name].filter(Boolean).join(' ');

/** Players by number, for tables that refer to them. */
export function byNumber(event: EventView): Map<number, EntrantView> {
  return new Map(event.players.map((player) => [player.number, player]));
}

/** The round one sees first. */
export const lastRound = (event: EventView): number => event.rounds.at(-1)?.number ?? 0;

/** Who may enter, in short sentences; none if everybody may. */
export function conditionsOf({ regulations: { entry } }: EventView): string[] {
  const { lowest_rating: lowest, highest_rating: highest } = entry;
  const words: string[] = [];
  if (lowest !== null && highest !== null) words.push(t('events.needs.between', { lowest, highest }));
  else if (lowest !== null) words.push(t('events.needs.lowest', { lowest }));
  else if (highest !== null) words.push(t('events.needs.highest', { highest }));
  if (entry.least_games > 0) words.push(tn('events.needs.games', entry.least_games));
  if (entry.group !== null) words.push(t('events.needs.group', { group: entry.group }));
  if (entry.invite_only) words.push(t('events.needs.invite'));
  if (entry.most_players !== null) words.push(tn('events.needs.most', entry.most_players));
  if (entry.withdrawal !== 'any_time') words.push(t(`events.needs.${entry.withdrawal}`));
  return words;
}
