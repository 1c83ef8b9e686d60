import { defineConfig } from 'vitest/config';

// Not a test: `npm run bench:lab` prints what GMO chess costs in the browser, with the real binary.
export default defineConfig({
  test: {
    include: ['tests/browser/lab-bench.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
