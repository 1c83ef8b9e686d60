// An event while it is being described: the form's values, and what is sent.
import type { EventForm, EventView, Regulations, System } from '$lib/api/types';
import { localText, momentOf } from './starts';

/** Tie-breaks that suit a system. */
export function usualTieBreaks(system: System): string[] {
  return system === 'swiss' ? ['BH/C1', 'BH', 'SB', 'WIN'] : ['DE', 'SB', 'WIN', 'KS'];
}

/** Number fields are texts while they are typed; empty means: no limit. */
const number = (text: string): number | null => (text.trim() === '' ? null : Number(text));

export class EventDraft {
  name = $state('');
  visibility = $state('public');
  /** As the browser's field has it: local time, `2026-11-16T18:00`. */
  startsAt = $state('');
  description = $state('');
  place = $state('');
  system = $state<System>('swiss');
  venue = $state<'board' | 'online'>('board');
  rounds = $state('5');
  minutes = $state('15');
  increment = $state('10');
  isRated = $state(false);
  tieBreaks = $state(usualTieBreaks('swiss').join(', '));
  isAccelerated = $state(false);
  mostPlayers = $state('');
  lowestRating = $state('');
  highestRating = $state('');
  isInviteOnly = $state(false);
  hasBots = $state(false);
  lateUntil = $state('3');
  ownByes = $state('0');
  win = $state('1');
  draw = $state('0.5');
  games = $state('1');
  hasThirdPlace = $state(false);
  arenaMinutes = $state('60');
  hasBerserk = $state(true);
  isAutomatic = $state(true);
  pause = $state('60');
  noShow = $state('60');
  byPlayers = $state(false);
  hasHiddenRules = $state(false);

  /** What the form does not show is kept as it was. */
  constructor(private readonly old: EventView | null = null) {
    if (old !== null) this.#read(old);
  }

  #read({ name, visibility, starts_at, regulations: rules }: EventView): void {
    this.name = name;
    this.visibility = visibility;
    this.startsAt = starts_at === null ? '' : localText(starts_at);
    this.description = rules.description;
    this.place = rules.place;
    this.system = rules.system;
    this.venue = rules.online ? 'online' : 'board';
    this.rounds = String(rules.rounds);
    if (rules.time.kind === 'fischer') {
      this.minutes = String(rules.time.initial_ms / 60_000);
      this.increment = String(rules.time.increment_ms / 1000);
    }
    this.isRated = rules.rated;
    this.tieBreaks = rules.tie_breaks.join(', ');
    this.isAccelerated = rules.accelerated;
    this.mostPlayers = String(rules.entry.most_players ?? '');
    this.lowestRating = String(rules.entry.lowest_rating ?? '');
    this.highestRating = String(rules.entry.highest_rating ?? '');
    this.isInviteOnly = rules.entry.invite_only;
    this.hasBots = rules.entry.bots;
    this.lateUntil = String(rules.entry.late_until);
    this.ownByes = String(rules.entry.own_byes);
    this.win = String(rules.points.win / 10);
    this.draw = String(rules.points.draw / 10);
    this.games = String(rules.knockout.games);
    this.hasThirdPlace = rules.knockout.third_place;
    this.arenaMinutes = String(rules.arena.minutes);
    this.hasBerserk = rules.arena.berserk;
    this.isAutomatic = rules.pace.automatic;
    this.pause = String(rules.pace.pause_seconds);
    this.noShow = String(rules.pace.no_show_seconds);
    this.byPlayers = rules.results_by === 'players';
    this.hasHiddenRules = rules.hidden_rules;
  }

  /** Another system comes with its own tie-breaks. */
  choose(system: System): void {
    this.system = system;
    this.tieBreaks = usualTieBreaks(system).join(', ');
    if (system === 'arena') this.venue = 'online';
  }

  get form(): EventForm {
    return {
      name: this.name,
      visibility: this.visibility,
      starts_at: momentOf(this.startsAt),
      regulations: this.#regulations as Regulations,
    };
  }

  get #regulations(): Partial<Regulations> {
    const old = this.old?.regulations;
    const win = Math.round(Number(this.win) * 10);
    const draw = Math.round(Number(this.draw) * 10);
    return {
      ...old,
      description: this.description,
      place: this.place,
      system: this.system,
      online: this.venue === 'online',
      rounds: Number(this.rounds),
      time: {
        kind: 'fischer',
        initial_ms: Math.round(Number(this.minutes) * 60_000),
        increment_ms: Math.round(Number(this.increment) * 1000),
      },
      rated: this.venue === 'online' && this.isRated,
      tie_breaks: this.tieBreaks.split(/[\s,]+/).filter((code) => code !== ''),
      accelerated: this.isAccelerated,
      entry: {
        least_games: old?.entry.least_games ?? 0,
        group: old?.entry.group ?? null,
        most_players: number(this.mostPlayers),
        lowest_rating: number(this.lowestRating),
        highest_rating: number(this.highestRating),
        invite_only: this.isInviteOnly,
        bots: this.hasBots,
        late_until: Number(this.lateUntil),
        own_byes: Number(this.ownByes),
      },
      points: {
        win,
        draw,
        loss: old?.points.loss ?? 0,
        bye: old !== undefined && old.points.win === win ? old.points.bye : win,
      },
      knockout: {
        seeding: old?.knockout.seeding ?? 'standard',
        games: Number(this.games),
        third_place: this.hasThirdPlace,
      },
      arena: { streaks: old?.arena.streaks ?? true, berserk: this.hasBerserk, minutes: Number(this.arenaMinutes) },
      pace: {
        automatic: this.isAutomatic,
        pause_seconds: Number(this.pause),
        no_show_seconds: Number(this.noShow),
      },
      results_by: this.byPlayers ? 'players' : 'staff',
      hidden_rules: this.hasHiddenRules,
    };
  }
}
