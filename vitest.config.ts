import { defineConfig } from 'vitest/config';
import FolderSequencer from './test/support/folderSequencer.ts';
import { smallForks } from './test/support/smallForks.ts';

/** Tests that need neither MongoDB nor Redis, which .dependency-cruiser.cjs keeps so. */
const pure = [
  'packages/**/*.test.ts',
  'apps/**/*.test.ts',
  'test/{content,house,outbound,pdf,roundTrip,sign-in}/**/*.test.ts',
];
/**
 * Tests that work in MongoDB and Redis. Of those that measure times no two run beside each other
 * (test/support/timedFiles.ts).
 */
const stores = ['test/{api,console,contract,e2e,faults,git,hostile,jobs,site,workers}/**/*.test.ts'];

export default defineConfig({
  plugins: [
    {
      name: 'builds-of-production',
      // Without the condition `development`, which chooses builds of the Markdown parser with checks of their
      // own: slower, and never what production runs.
      configResolved: ({ ssr }) => void Object.assign(ssr.resolve ?? {}, { conditions: ['node'] }),
    },
  ],
  test: {
    projects: [
      { extends: true, test: { name: 'pure', include: pure } },
      { extends: true, test: { name: 'stores', include: stores } },
    ],
    // One more than the cores of the usual machine: a third of the time, a file waits for a lease, a retry or
    // the turn of a timed file.
    maxWorkers: 3,
    // One MongoDB and one Redis for the whole run; each worker has databases of its own in them.
    // The contract files leave what they saw for one table after the run.
    globalSetup: ['test/support/globalSetup.ts', 'test/contract/contractRows.ts'],
    setupFiles: ['test/support/environment.ts'],
    sequence: { sequencer: FolderSequencer },
    runner: './test/support/measuringRunner.ts',
    reporters: ['default', './test/support/slowestFiles.ts'],
    pool: smallForks(),
    // The files of a worker run one after the other in one process: starting one and loading the platform for
    // each file took most of the time.
    isolate: false,
    // They end what hangs; a machine that is busy with something else makes no test fail.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Node loads the sources itself, as in production: what only a bundler would resolve fails here too.
    // Without the hooks, which nothing here needs (no module is mocked), it also keeps what it compiled
    // between runs.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
