// Shown inside pages of other sites: drawn in the browser only.
export const prerender = false;
export const ssr = false;
