import { defineConfig } from 'vitest/config';

// Not a test: `npm run screenshots` draws the pictures of the README with the real binary.
export default defineConfig({
  test: { include: ['tests/browser/*screenshots.ts'], testTimeout: 180_000, hookTimeout: 60_000 },
});
