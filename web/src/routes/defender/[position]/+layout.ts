// Positions come and go: their pages are drawn in the browser only.
export const prerender = false;
export const ssr = false;
