import type { Handle } from '@sveltejs/kit';

/** Runs at build time only, when the pages are written: they announce the font that their first texts need. */
export const handle: Handle = ({ event, resolve }) =>
  resolve(event, { preload: ({ type, path }) => type !== 'font' || path.includes('inter-latin-wght') });
