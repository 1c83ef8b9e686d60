import { sveltekit } from '@sveltejs/kit/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where `rookery serve` listens while the page is developed with `npm run dev`. */
const server = process.env.ROOKERY_URL ?? 'http://127.0.0.1:8080';

/**
 * SvelteKit's own announcer of page titles carries a style attribute, the only one in the page; our content security
 * policy allows none. Its style stands in app.css instead.
 */
const withoutStyleAttributes: Plugin = {
  name: 'without-style-attributes',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/generated/root.svelte')) return;
    return { code: code.replace(/(id="svelte-announcer"[^>]*?) style="[^"]*"/, '$1'), map: null };
  },
};

export default defineConfig({
  plugins: [withoutStyleAttributes, sveltekit()],
  server: {
    proxy: {
      '/api': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
  },
});
