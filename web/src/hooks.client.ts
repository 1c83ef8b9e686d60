import type { HandleClientError } from '@sveltejs/kit';

/** A mistyped address is no error of ours; everything else is written to the console, where developers look. */
export const handleError: HandleClientError = ({ error, status, message }) => {
  // eslint-disable-next-line no-console
  if (status !== 404) console.error(error);
  return { message };
};
