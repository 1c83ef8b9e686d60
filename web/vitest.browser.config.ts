import { defineConfig } from 'vitest/config';

// These look at what was built: the written page first, then the real binary in a real Chromium.
// One file at a time in one process, no retries.
export default defineConfig({
  test: {
    include: ['tests/build/*.test.ts', 'tests/browser/*.test.ts'],
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
