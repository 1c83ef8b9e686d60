// What it shows stands in the address and depends on who asks: it is drawn in the browser only.
export const prerender = false;
export const ssr = false;
