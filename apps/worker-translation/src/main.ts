import { runWorkerApp } from '@bindery/worker';
import { openEngines } from './engines.ts';
import { translationProcessors } from './processors.ts';
import { translationWorker } from './worker.ts';

await runWorkerApp(translationWorker, async ({ config, logger, onStop, setEngines }) => {
  const { engines, offers } = await openEngines(config, logger);
  for (const engine of engines) onStop(() => engine.close());
  setEngines(offers);
  return translationProcessors(engines, config);
});
