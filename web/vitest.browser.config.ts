import { defineConfig } from 'vitest/config';

// Browser tests drive a real Chromium against the real binary: one file at a time, no retries, honest time limits.
export default defineConfig({
  test: {
    include: ['tests/browser/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
