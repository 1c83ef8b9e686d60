// An event while it is being described: the form's values, and what is sent.
import type { EventForm, EventView, Regulations, System, Variant } from '$lib/api/types';
import { ClockDraft } from '$lib/lobby/clock-choice.svelte';
import { localText, momentOf } from '../starts';

/** Tie-breaks that suit a system. */
export function usualTieBreaks(system: System): string[] {
  return system === 'swiss' ? ['BH/C1', 'BH', 'SB', 'WIN'] : ['DE', 'SB', 'WIN', 'KS'];
}

/** Whether everybody meets everybody. */
export const isRoundRobin = (system: System): boolean => system === 'round_robin' || system === 'double_round_robin';

/** Codes of FIDE that suit most events, for choosing; any other can be written. */
export const TIE_BREAKS = [
  'BH/C1',
  'BH',
  'BH/M1',
  'SB',
  'DE',
  'WIN',
  'WON',
  'BPG',
  'BWG',
  'PS',
  'KS',
  'AOB',
  'ARO',
  'TPR',
  'TPN',
  'RTNG',
] as const;

type Withdrawal = Regulations['entry']['withdrawal'];

const DAY = 86_400_000;
const HOUR_SECONDS = 3600;

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
  /** By the clock, by one with several periods, or days for a move. */
  pace = $state<'clock' | 'stages' | 'days'>('clock');
  /** The periods. */
  readonly clock = new ClockDraft();
  days = $state('3');
  leaveDays = $state('0');
  /** What a bank of time holds at the start, and at most; empty: every move has its own time. */
  bankDays = $state('');
  capDays = $state('');
  hasFreeWeekends = $state(false);
  /** All games of a round robin begin together. */
  isAtOnce = $state(false);
  variant = $state<Variant>('standard');
  start = $state('');
  isRated = $state(false);
  tieBreaks = $state<string[]>(usualTieBreaks('swiss'));
  firstColor = $state<'lot' | 'white' | 'black'>('lot');
  /** Groups of players by number, of whom none meets another. */
  forbidden = $state<number[][]>([]);
  isAccelerated = $state(false);
  mostPlayers = $state('');
  lowestRating = $state('');
  highestRating = $state('');
  leastGames = $state('0');
  group = $state('');
  isInviteOnly = $state(false);
  hasBots = $state(false);
  lateUntil = $state('3');
  ownByes = $state('0');
  /** When players may withdraw by themselves. */
  withdrawal = $state<Withdrawal>('any_time');
  win = $state('1');
  draw = $state('0.5');
  loss = $state('0');
  bye = $state('1');
  seeding = $state<'standard' | 'halves'>('standard');
  games = $state('1');
  /** Further games of a tied match at most; empty: as many as it takes. */
  tieGames = $state('');
  /** Their clock, if it is another one. */
  tieMinutes = $state('');
  tieIncrement = $state('0');
  hasThirdPlace = $state(false);
  arenaMinutes = $state('60');
  hasBerserk = $state(true);
  hasStreaks = $state(true);
  isAutomatic = $state(true);
  pause = $state('60');
  /** All games of a round begin together, or each within a window. */
  begin = $state<'together' | 'window'>('together');
  noShow = $state('60');
  windowHours = $state('24');
  /** The timer of the hall; 0: it counts up. */
  roundMinutes = $state('0');
  disconnect = $state<'usual' | 'clock' | 'claim'>('usual');
  disconnectSeconds = $state('60');
  byPlayers = $state(false);
  federation = $state('');
  chiefArbiter = $state('');
  /** Names, one after the other with semicolons: a comma stands within a name. */
  deputies = $state('');
  hasHiddenRules = $state(false);
  /** GMO: blocks of a genome at most; 0 is no limit. */
  maxBlocks = $state('0');
  noFirstStrike = $state(false);
  staysHidden = $state(false);

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
    } else if (rules.time.kind === 'stages') {
      this.pace = 'stages';
      this.clock.read(rules.time);
    } else if (rules.time.kind === 'days') {
      this.pace = 'days';
      this.days = String(rules.time.per_move_ms / DAY);
      this.leaveDays = String(rules.time.leave_days ?? 0);
      this.hasFreeWeekends = rules.time.weekends_free ?? false;
      this.bankDays = typeof rules.time.bank_ms === 'number' ? String(rules.time.bank_ms / DAY) : '';
      this.capDays = typeof rules.time.cap_ms === 'number' ? String(rules.time.cap_ms / DAY) : '';
    }
    this.isAtOnce = rules.at_once;
    this.variant = rules.variant;
    this.start = rules.start ?? '';
    this.firstColor = rules.first_color;
    this.forbidden = rules.forbidden;
    this.leastGames = String(rules.entry.least_games);
    this.group = rules.entry.group ?? '';
    this.loss = String(rules.points.loss / 10);
    this.bye = String(rules.points.bye / 10);
    this.seeding = rules.knockout.seeding;
    this.hasStreaks = rules.arena.streaks;
    this.disconnect = rules.pace.disconnect;
    this.disconnectSeconds = String(rules.pace.disconnect_seconds);
    this.isRated = rules.rated;
    this.tieBreaks = [...rules.tie_breaks];
    this.isAccelerated = rules.accelerated;
    this.mostPlayers = String(rules.entry.most_players ?? '');
    this.lowestRating = String(rules.entry.lowest_rating ?? '');
    this.highestRating = String(rules.entry.highest_rating ?? '');
    this.isInviteOnly = rules.entry.invite_only;
    this.hasBots = rules.entry.bots;
    this.lateUntil = String(rules.entry.late_until);
    this.ownByes = String(rules.entry.own_byes);
    this.withdrawal = rules.entry.withdrawal;
    this.win = String(rules.points.win / 10);
    this.draw = String(rules.points.draw / 10);
    this.games = String(rules.knockout.games);
    this.tieGames = String(rules.knockout.tie_break_games ?? '');
    const tie = rules.knockout.tie_break_time;
    if (tie?.kind === 'fischer') {
      this.tieMinutes = String(tie.initial_ms / 60_000);
      this.tieIncrement = String(tie.increment_ms / 1000);
    }
    this.hasThirdPlace = rules.knockout.third_place;
    this.arenaMinutes = String(rules.arena.minutes);
    this.hasBerserk = rules.arena.berserk;
    this.isAutomatic = rules.pace.automatic;
    this.pause = String(rules.pace.pause_seconds);
    this.roundMinutes = String(rules.pace.round_minutes);
    if (rules.pace.no_show_seconds < HOUR_SECONDS) this.noShow = String(rules.pace.no_show_seconds);
    else {
      this.begin = 'window';
      this.windowHours = String(rules.pace.no_show_seconds / HOUR_SECONDS);
    }
    this.byPlayers = rules.results_by === 'players';
    this.federation = rules.report.federation;
    this.chiefArbiter = rules.report.chief_arbiter;
    this.deputies = rules.report.deputies.join('; ');
    this.hasHiddenRules = rules.hidden_rules;
    this.maxBlocks = String(rules.gmo.max_blocks);
    this.noFirstStrike = rules.gmo.no_first_strike;
    this.staysHidden = rules.gmo.reveal === 'never';
  }

  /** Another system comes with its own tie-breaks. */
  choose(system: System): void {
    this.system = system;
    this.tieBreaks = usualTieBreaks(system);
    if (system === 'arena') {
      this.venue = 'online';
      if (this.pace === 'days') this.pace = 'clock';
    }
    if (!isRoundRobin(system)) this.isAtOnce = false;
  }

  /** Takes over a win's points for the bye too, as long as they were the same. */
  setWin(points: string): void {
    if (this.bye === this.win) this.bye = points;
    this.win = points;
  }

  /** The clock as it is sent; one that this form does not know stays as it was. */
  get #time(): Regulations['time'] {
    if (this.venue === 'online' && this.pace === 'days') {
      const span = (days: string): number | null => (days.trim() === '' ? null : Math.round(Number(days) * DAY));
      const bank = span(this.bankDays);
      return {
        kind: 'days',
        per_move_ms: Math.round(Number(this.days) * DAY),
        leave_days: Number(this.leaveDays),
        weekends_free: this.hasFreeWeekends,
        bank_ms: bank,
        cap_ms: bank === null ? null : span(this.capDays),
      } as Regulations['time'];
    }
    if (this.pace === 'stages') return this.clock.staged;
    const old = this.old?.regulations.time;
    if (old !== undefined && old.kind !== 'stages' && old.kind !== 'fischer' && old.kind !== 'days') return old;
    return {
      kind: 'fischer',
      initial_ms: Math.round(Number(this.minutes) * 60_000),
      increment_ms: Math.round(Number(this.increment) * 1000),
    };
  }

  /** The clock of tie-break games; one that this form does not know stays as it was. */
  get #tieTime(): Regulations['knockout']['tie_break_time'] {
    const old = this.old?.regulations.knockout.tie_break_time ?? null;
    if (this.tieMinutes.trim() === '') return old?.kind === 'fischer' ? null : old;
    return {
      kind: 'fischer',
      initial_ms: Math.round(Number(this.tieMinutes) * 60_000),
      increment_ms: Math.round(Number(this.tieIncrement) * 1000),
    };
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
    const tenths = (points: string): number => Math.round(Number(points) * 10);
    return {
      ...old,
      description: this.description,
      place: this.place,
      system: this.system,
      online: this.venue === 'online',
      rounds: Number(this.rounds),
      at_once: this.isAtOnce && this.venue === 'online' && isRoundRobin(this.system),
      time: this.#time,
      variant: this.variant,
      start: this.start.trim() === '' ? null : this.start.trim(),
      first_color: this.firstColor,
      forbidden: this.forbidden,
      rated: this.venue === 'online' && this.isRated,
      tie_breaks: this.tieBreaks,
      accelerated: this.isAccelerated,
      entry: {
        least_games: Number(this.leastGames),
        group: this.group.trim() === '' ? null : this.group.trim(),
        most_players: number(this.mostPlayers),
        lowest_rating: number(this.lowestRating),
        highest_rating: number(this.highestRating),
        invite_only: this.isInviteOnly,
        bots: this.hasBots,
        late_until: Number(this.lateUntil),
        own_byes: Number(this.ownByes),
        withdrawal: this.withdrawal,
      },
      points: {
        win: tenths(this.win),
        draw: tenths(this.draw),
        loss: tenths(this.loss),
        bye: tenths(this.bye),
      },
      knockout: {
        seeding: this.seeding,
        games: Number(this.games),
        tie_break_games: number(this.tieGames),
        tie_break_time: this.#tieTime,
        third_place: this.hasThirdPlace,
      },
      arena: { streaks: this.hasStreaks, berserk: this.hasBerserk, minutes: Number(this.arenaMinutes) },
      pace: {
        automatic: this.isAutomatic,
        pause_seconds: Number(this.pause),
        no_show_seconds:
          this.begin === 'together' ? Number(this.noShow) : Math.round(Number(this.windowHours) * HOUR_SECONDS),
        disconnect: this.disconnect,
        disconnect_seconds: Number(this.disconnectSeconds),
        round_minutes: Number(this.roundMinutes),
      },
      results_by: this.byPlayers ? 'players' : 'staff',
      report: {
        federation: this.federation.trim().toUpperCase(),
        chief_arbiter: this.chiefArbiter.trim(),
        deputies: this.deputies
          .split(';')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      },
      hidden_rules: this.hasHiddenRules,
      gmo: {
        max_blocks: number(this.maxBlocks) ?? 0,
        no_first_strike: this.noFirstStrike,
        reveal: this.staysHidden ? 'never' : 'end',
      },
    };
  }
}
