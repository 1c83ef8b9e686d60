import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  kit: {
    // Known pages are written as files; every other address (a game, a mistake) gets 200.html and finds its way there.
    adapter: adapter({ pages: 'build', assets: 'build', fallback: '200.html', precompress: true, strict: false }),
    // Absolute addresses, so that 200.html works at any depth.
    paths: { relative: false },
    // Only a browser that wants to be told gets the worker, at a press.
    serviceWorker: { register: false },
    // The binary that serves the page knows its version; the page need not poll for it.
    version: { pollInterval: 0 },
  },
};
