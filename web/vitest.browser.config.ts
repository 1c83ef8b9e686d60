import { defineConfig } from 'vitest/config';

// These look at what was built: the written page first, then the real binary in a real Chromium.
// Two files at a time, each process with a browser of its own: most of the time they wait. A slow machine redraws a page
// just when it is pressed now and then: what fails is tried once more, and what fails twice has found something.
export default defineConfig({
  test: {
    include: ['tests/build/*.test.ts', 'tests/browser/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    retry: 1,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
