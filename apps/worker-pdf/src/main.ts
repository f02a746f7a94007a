import { dropPreparedWriter, prepareBookWriter } from '@bindery/pdf';
import { runWorkerApp } from '@bindery/worker';
import { createPrinters, outputVersionOf } from './book/printers.ts';
import { createPageRenderers } from './book/rendering/pageRenderer.ts';
import { startBrowsers } from './browser/startBrowsers.ts';
import { pdfWorker } from './worker.ts';

await runWorkerApp(pdfWorker, async ({ config, logger, blobs, onStop, setOutputVersion }) => {
  const browsers = await startBrowsers(config, logger);
  onStop(() => browsers.close());
  const renderers = createPageRenderers(1);
  onStop(() => renderers.close());
  prepareBookWriter();
  onStop(dropPreparedWriter);
  const outputVersion = outputVersionOf(browsers.version);
  setOutputVersion(outputVersion);
  const { chunkDeadlineMs } = config.pdf;
  return createPrinters({ blobs, browsers, renderers, outputVersion, chunkDeadlineMs });
});
