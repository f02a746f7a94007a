import { runWorkerApp } from '@bindery/worker';
import { openEngine } from './engines.ts';
import { createRunTranslation } from './run/runTranslation.ts';
import { translationWorker } from './worker.ts';

await runWorkerApp(translationWorker, async ({ config, onStop }) => {
  const engine = await openEngine(config);
  onStop(() => engine.close());
  return { runTranslation: createRunTranslation({ engine }) };
});
