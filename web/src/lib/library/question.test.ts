import { describe, expect, it } from 'vitest';
import { libraryQuery, NO_FILTER } from './question.svelte';

describe('a question to the library', () => {
  it('has only the parts that are set', () => {
    expect(libraryQuery('mine', NO_FILTER)).toBe('scope=mine');
    expect(libraryQuery('club', { ...NO_FILTER, player: ' Anna & Bert ' })).toBe('scope=club&player=Anna%20%26%20Bert');
  });

  it('turns a day into its moment, and leaves out what is none', () => {
    expect(libraryQuery('mine', { ...NO_FILTER, since: '1970-01-02' })).toBe('scope=mine&since=86400000');
    expect(libraryQuery('mine', { ...NO_FILTER, since: 'soon' })).toBe('scope=mine');
  });

  it('takes parts of the page', () => {
    expect(libraryQuery('mine', NO_FILTER, { before: '5_7' })).toBe('scope=mine&before=5_7');
  });

  it('counts moves as the server counts plies, and a last day to its end', () => {
    const filter = { ...NO_FILTER, min_moves: '20', max_moves: '30', until: '1970-01-01' };
    expect(libraryQuery('mine', filter)).toBe('scope=mine&until=86400000&min_plies=39&max_plies=60');
  });

  it('asks for a tag only with its value', () => {
    expect(libraryQuery('mine', { ...NO_FILTER, tag_name: 'Event' })).toBe('scope=mine');
    expect(libraryQuery('mine', { ...NO_FILTER, tag_name: 'Event', tag_value: 'Wijk' })).toBe(
      'scope=mine&tag=Event%3DWijk',
    );
  });
});
