// Pages whose address is known are written at build time; the game page turns this off for itself.
export const prerender = true;
export const trailingSlash = 'never';
