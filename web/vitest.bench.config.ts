import { defineConfig } from 'vitest/config';

// Not a test: `npm run bench:lab` and `npm run bench:engine` print what the browser pays, with the real binary.
export default defineConfig({
  test: {
    include: ['tests/browser/*-bench.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
