import { defineConfig } from 'vitest/config';

// These look at what was built: the written page first, then the real binary in a real Chromium.
// One file at a time in one process. A slow machine redraws a page just when it is pressed now and then: what fails is
// tried once more, and what fails twice has found something.
export default defineConfig({
  test: {
    include: ['tests/build/*.test.ts', 'tests/browser/*.test.ts'],
    fileParallelism: false,
    isolate: false,
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
