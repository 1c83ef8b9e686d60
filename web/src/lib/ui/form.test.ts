import { expect, test } from 'vitest';
import { ApiError } from '$lib/api/client';
import { fieldText, Form } from './form.svelte';

/** A form with two fields after this refusal. */
function refused(error: unknown): Form<'name' | 'code'> {
  const form = new Form(['name', 'code'] as const, { name_taken: 'name' });
  form.fail(error);
  return form;
}

test('what is wrong with a field is said at the field', () => {
  const fields = [{ field: 'name', code: 'unheard_of', detail: 'this name is odd' }];
  const form = refused(new ApiError(422, 'invalid_fields', 'Look at the fields', fields));
  expect(form.errors.name).toBe('This name is odd');
  expect(form.problem).toBeNull();
});

test('a code that belongs to one field is said there too', () => {
  const form = refused(new ApiError(409, 'name_taken', 'Taken'));
  expect(form.errors.name).toBe('This name is taken.');
  expect(form.problem).toBeNull();
});

test('a field that the form does not show is said for the whole', () => {
  const fields = [{ field: 'elsewhere', code: 'x', detail: 'hidden trouble' }];
  expect(refused(new ApiError(422, 'invalid_fields', 'Look', fields)).problem).toBe('Hidden trouble');
});

test('any other refusal is said for the whole, and a fault of ours is not explained', () => {
  expect(refused(new ApiError(429, 'too_many_attempts', 'Wait')).problem).toBe('Wait');
  expect(refused(new TypeError('x is undefined')).problem).toBe('Something went wrong');
});

test('a known code is told in our words, an unknown one in the server’s', () => {
  expect(fieldText({ field: 'name', code: 'name_taken', detail: 'gone' })).toBe('This name is taken.');
  expect(fieldText({ field: 'name', code: 'new_code', detail: 'something new' })).toBe('Something new');
});
