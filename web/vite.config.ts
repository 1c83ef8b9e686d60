import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vitest/config';

/** Where `rookery serve` listens while the page is developed with `npm run dev`. */
const server = process.env.ROOKERY_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [sveltekit()],
  server: {
    proxy: {
      '/api': server,
      '/ws': { target: server, ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts', 'tests/build/*.test.ts'],
  },
});
