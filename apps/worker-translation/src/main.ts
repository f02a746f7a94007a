import { runWorkerApp } from '@bindery/worker';
import { openEngines } from './engines.ts';
import { translationProcessors } from './processors.ts';
import { dropPreparedPages, preparePages } from './run/pages.ts';
import { translationWorker } from './worker.ts';

await runWorkerApp(translationWorker, async ({ config, logger, onStop, setEngines }) => {
  const { engines, offers } = await openEngines(config, logger);
  for (const engine of engines) onStop(() => engine.close());
  setEngines(offers);
  preparePages();
  onStop(dropPreparedPages);
  return translationProcessors(engines, config);
});
