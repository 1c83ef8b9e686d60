import { expect, test } from 'vitest';
import { Note } from './note.svelte';

/** A note, and what was brought to the server. */
function open(): { note: Note; saved: [string, boolean][] } {
  const saved: [string, boolean][] = [];
  const note = new Note(async (text, isLeaving) => {
    saved.push([text, isLeaving]);
    await Promise.resolve();
  });
  note.load('The h-file!');
  return { note, saved };
}

test('what was typed just before one leaves is kept', async () => {
  const { note, saved } = open();
  await note.keep(true);
  expect(saved).toEqual([]);
  note.text = 'The h-file, then g5';
  expect(note.isKept).toBe(false);
  await note.keep(true);
  expect(saved).toEqual([['The h-file, then g5', true]]);
  expect(note.isKept).toBe(true);
});

test('what the server has does not replace what is being typed', async () => {
  const { note, saved } = open();
  note.text = 'Castle';
  note.load('The h-file!');
  expect(note.text).toBe('Castle');
  const keeping = note.keep();
  note.text = 'Castle long';
  await keeping;
  expect(note.isKept).toBe(false);
  await note.keep();
  expect(saved.map(([text]) => text)).toEqual(['Castle', 'Castle long']);
});
