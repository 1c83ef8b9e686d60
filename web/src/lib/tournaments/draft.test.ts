import { describe, expect, it } from 'vitest';
import { EventDraft } from './draft.svelte';
import { localText, momentOf } from './starts';

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

  it('keeps a moment through the field of the browser', () => {
    const at = new Date('2026-11-16T18:30').getTime();
    expect(momentOf(localText(at))).toBe(at);
    expect(momentOf('')).toBeNull();
  });
});
