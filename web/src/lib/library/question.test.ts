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
});
