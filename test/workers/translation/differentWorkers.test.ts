import { offerOf, pseudoLocaleEngine, type Engine } from '@bindery/engines';
import { startWorker, translationJobs } from '@bindery/jobs';
import { createLogger } from '@bindery/runtime';
import { describe, expect } from 'vitest';
import { translationProcessors } from '../../../apps/worker-translation/src/processors.ts';
import { it as base } from '../../support/translation/translating.ts';

const french: Engine = {
  ...pseudoLocaleEngine,
  name: 'apertium',
  route: ({ source, target }) => (source === 'en' && target === 'fr' ? ['en', 'fr'] : undefined),
};

const it = base
  .extend('isWorkerHere', { scope: 'file' }, false)
  .extend('workers', async ({ api }, { onCleanup }) => {
    const workers = await Promise.all(
      [french, pseudoLocaleEngine].map(async (engine) =>
        startWorker(translationJobs, translationProcessors([engine], api.config), {
          ...{ app: 'test', concurrency: 1, config: api.config, engines: [offerOf(engine)] },
          logger: createLogger({ log: { level: 'silent' } }, { app: 'test' }),
        }),
      ),
    );
    onCleanup(async () => {
      await Promise.all(workers.map(async (worker) => worker.stop(0)));
    });
    return workers;
  });

describe('workers with different engines', { timeout: 120_000 }, () => {
  it('leave a run to the worker that has an engine for its languages', async ({ workers, translated }) => {
    expect(workers).toHaveLength(2);
    // Each worker gets some of them.
    const runs = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        translated([{ id: 'page', title: 'Page', source: `Text ${index}.\n` }]),
      ),
    );
    for (const { first } of runs)
      expect(first).toMatchObject({ state: 'succeeded', result: { engine: 'pseudo-locale' } });
  });
});
