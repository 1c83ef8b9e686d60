// What these pages show depends on who asks: they are drawn in the browser only. It also keeps their start scripts,
// one per written page, out of the content security policy's list.
export const prerender = false;
export const ssr = false;
