import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'test/**/*.test.ts'],
    // One MongoDB and one Redis for the whole run; each worker has databases of its own in them.
    // The contract files leave what they saw for one table after the run.
    globalSetup: ['test/support/globalSetup.ts', 'test/contract/contractRows.ts'],
    setupFiles: ['test/support/environment.ts'],
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Node loads the sources itself, as in production: what only a bundler would resolve fails here too.
    experimental: { viteModuleRunner: false },
  },
});
