import { runWorkerApp } from '@bindery/worker';
import { createPrinters } from './book/printers.ts';
import { startBrowsers } from './browser/startBrowsers.ts';
import { pdfWorker } from './worker.ts';

await runWorkerApp(pdfWorker, async ({ config, logger, blobs, onStop }) => {
  const browsers = await startBrowsers(config, logger);
  onStop(() => browsers.close());
  return createPrinters({ config, blobs, browsers });
});
