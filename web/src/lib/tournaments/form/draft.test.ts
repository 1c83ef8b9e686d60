import { describe, expect, it } from 'vitest';
import type { EventView } from '$lib/api/types';
import { EventDraft } from './draft.svelte';
import { localText, momentOf } from '../starts';

describe('an event that is being described', () => {
  it('is sent in the units of the server', () => {
    const draft = new EventDraft();
    draft.name = 'Autumn Cup';
    draft.minutes = '5';
    draft.increment = '3';
    draft.setWin('3');
    draft.draw = '1';
    draft.tieBreaks = ['BH/C1', 'SB', 'DE'];
    draft.mostPlayers = '';
    const { regulations } = draft.form;
    expect(regulations?.time).toEqual({ kind: 'fischer', initial_ms: 300_000, increment_ms: 3000 });
    expect(regulations?.points).toEqual({ win: 30, draw: 10, loss: 0, bye: 30 });
    expect(regulations?.tie_breaks).toEqual(['BH/C1', 'SB', 'DE']);
    expect(regulations?.entry?.most_players).toBeNull();
  });

  it('takes the tie-breaks of another system along, and an arena is online', () => {
    const draft = new EventDraft();
    draft.choose('round_robin');
    expect(draft.tieBreaks).toEqual(['DE', 'SB', 'WIN', 'KS']);
    draft.choose('arena');
    expect(draft.form.regulations?.online).toBe(true);
  });

  it('can have a clock with several periods, which stays when the event is changed', () => {
    const draft = new EventDraft();
    draft.pace = 'stages';
    draft.clock.add('white');
    const { regulations } = draft.form;
    const stage = { time_ms: 5_400_000, bonus: { kind: 'fischer', ms: 30_000 } };
    const stages = [
      { ...stage, moves: 40 },
      { ...stage, moves: null, time_ms: 1_800_000 },
    ];
    expect(regulations?.time).toEqual({ kind: 'stages', white: stages, black: stages });
    const again = new EventDraft();
    again.clock.read({ white: stages, black: stages } as never);
    again.pace = 'stages';
    expect(again.form.regulations?.time).toEqual(regulations?.time);
  });

  it('can be played by correspondence, with all games at once', () => {
    const draft = new EventDraft();
    draft.venue = 'online';
    draft.pace = 'days';
    draft.days = '2';
    draft.leaveDays = '14';
    draft.isAtOnce = true;
    expect(draft.form.regulations?.at_once).toBe(false);
    draft.system = 'round_robin';
    const { regulations } = draft.form;
    expect(regulations?.at_once).toBe(true);
    expect(regulations?.time).toMatchObject({ kind: 'days', per_move_ms: 172_800_000, leave_days: 14 });
  });

  it('can have a bank of days, which stays when the event is changed', () => {
    const draft = new EventDraft();
    draft.venue = 'online';
    draft.pace = 'days';
    draft.days = '1';
    draft.bankDays = '10';
    const first = draft.form.regulations;
    expect(first?.time).toMatchObject({ bank_ms: 864_000_000, cap_ms: null });
    draft.capDays = '15';
    const { regulations } = draft.form;
    expect(regulations?.time).toMatchObject({ bank_ms: 864_000_000, cap_ms: 1_296_000_000 });
    const again = new EventDraft({ name: 'x', visibility: 'public', starts_at: null, regulations } as EventView);
    expect(again.form.regulations?.time).toEqual(regulations?.time);
    again.bankDays = '';
    expect(again.form.regulations?.time).toMatchObject({ bank_ms: null, cap_ms: null });
  });

  it('plays off ties as often as it says, with the clock it says', () => {
    const draft = new EventDraft();
    draft.choose('knockout');
    expect(draft.form.regulations?.knockout).toMatchObject({ tie_break_games: null, tie_break_time: null });
    draft.tieGames = '2';
    draft.tieMinutes = '3';
    draft.tieIncrement = '2';
    const { regulations } = draft.form;
    const time = { kind: 'fischer', initial_ms: 180_000, increment_ms: 2000 };
    expect(regulations?.knockout).toMatchObject({ tie_break_games: 2, tie_break_time: time });
    const again = new EventDraft({ name: 'x', visibility: 'public', starts_at: null, regulations } as EventView);
    expect(again.form.regulations?.knockout).toEqual(regulations?.knockout);
  });

  it('names its arbiters for the report', () => {
    const draft = new EventDraft();
    draft.federation = 'svk';
    draft.deputies = 'Judge, Second; ;Judge, Third ';
    expect(draft.form.regulations?.report).toEqual({
      federation: 'SVK',
      chief_arbiter: '',
      deputies: ['Judge, Second', 'Judge, Third'],
    });
  });

  it('has house rules for the genomes of GMO', () => {
    const draft = new EventDraft();
    expect(draft.form.regulations?.gmo).toEqual({ max_blocks: 0, no_first_strike: false, reveal: 'end' });
    draft.maxBlocks = '4';
    draft.noFirstStrike = true;
    draft.staysHidden = true;
    expect(draft.form.regulations?.gmo).toEqual({ max_blocks: 4, no_first_strike: true, reveal: 'never' });
  });

  it('lets games begin together, or each within a window', () => {
    const draft = new EventDraft();
    expect(draft.form.regulations?.pace?.no_show_seconds).toBe(60);
    draft.begin = 'window';
    draft.windowHours = '48';
    const { regulations } = draft.form;
    expect(regulations?.pace?.no_show_seconds).toBe(172_800);
    const again = new EventDraft({ name: 'x', visibility: 'public', starts_at: null, regulations } as EventView);
    expect([again.begin, again.windowHours]).toEqual(['window', '48']);
  });

  it('says when players may withdraw by themselves', () => {
    const draft = new EventDraft();
    expect(draft.form.regulations?.entry?.withdrawal).toBe('any_time');
    draft.withdrawal = 'by_director';
    expect(draft.form.regulations?.entry?.withdrawal).toBe('by_director');
  });

  it('keeps a moment through the field of the browser', () => {
    const at = new Date('2026-11-16T18:30').getTime();
    expect(momentOf(localText(at))).toBe(at);
    expect(momentOf('')).toBeNull();
  });
});
