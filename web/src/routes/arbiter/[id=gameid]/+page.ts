// Games come and go: this page is drawn in the browser only.
export const prerender = false;
export const ssr = false;
