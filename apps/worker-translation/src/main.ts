import { runWorkerApp } from '@bindery/worker';
import { openEngines } from './engines.ts';
import { createRunTranslation } from './run/runTranslation.ts';
import { translationWorker } from './worker.ts';

await runWorkerApp(translationWorker, async ({ config, logger, onStop }) => {
  const engines = await openEngines(config, logger);
  for (const engine of engines) onStop(() => engine.close());
  return { runTranslation: createRunTranslation({ engines }) };
});
