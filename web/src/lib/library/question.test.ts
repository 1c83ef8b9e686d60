import { describe, expect, it } from 'vitest';
import { libraryQuery, NO_FILTER, Question, readFilter, withQuestion } from './question.svelte';

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

describe('the question in the address', () => {
  it('is read again as it was written', () => {
    const filter = { ...NO_FILTER, player: 'Anna & Bert', since: '2020-05-31', tag_name: 'Event', tag_value: 'a=b' };
    const params = withQuestion(new URLSearchParams('fen=8/8'), 'player:Carla', filter);
    const again = new URLSearchParams(params.toString());
    expect(again.get('fen')).toBe('8/8');
    expect(again.get('scope')).toBe('player:Carla');
    expect(readFilter(again)).toEqual(filter);
  });

  it('has no word that says nothing', () => {
    const params = withQuestion(new URLSearchParams('scope=club&opening=B90&fen=x'), null, NO_FILTER);
    expect(params.toString()).toBe('fen=x');
  });

  it('begins with the own games if there are some, and is written when it changes', () => {
    let isMember = false;
    const written: string[] = [];
    const question = new Question(
      () => isMember,
      (params) => written.push(params.toString()),
    );
    expect(question.scope).toBe('club');
    isMember = true;
    expect(question.scope).toBe('mine');
    question.read(new URLSearchParams('fen=8&scope=nonsense'));
    expect(question.scope).toBe('mine');
    question.filter = { ...question.filter, opening: 'B90' };
    question.scope = 'all';
    expect(written).toEqual(['fen=8&opening=B90', 'fen=8&opening=B90&scope=all']);
    expect(question.search()).toBe('?scope=all&opening=B90');
    expect(question.search({ opening: 'C42', fen: 'x' })).toBe('?opening=C42&fen=x&scope=all');
    expect(question.query()).toBe('scope=all&opening=B90');
  });
});
