import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // A stack (PGlite and workerd) is made within a hook.
    hookTimeout: 90_000,
    testTimeout: 30_000,
    // Conditions are waited for as long as a busy machine may need.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
