import { createTreeBuilder } from '@bindery/content';
import {
  readJobGauges,
  readLimitGauges,
  startOutcomeKeeper,
  startReplays,
  startSweeper,
} from '@bindery/jobs';
import { addGauges } from '@bindery/metrics';
import { runWorkerApp } from '@bindery/worker';
import { startCertificates } from './certificates/renewCertificates.ts';
import { startHostnameChecks } from './hostnames/checkHostnames.ts';
import { createImportContent } from './import/importContent.ts';
import { startPurge } from './purgeSpaces.ts';
import { startSpecRefresh } from './refreshSpecs.ts';
import { startSpecReviews } from './reviewSpecs.ts';
import { startSiteHostChecks } from './checkSiteHosts.ts';
import { startDueTranslations } from './runDueTranslations.ts';
import { startIndexer } from './startIndexer.ts';
import { startStorageSweep } from './sweepStorage.ts';
import { startWebhooks } from './webhooks/startWebhooks.ts';
import { maintenanceWorker } from './worker.ts';

await runWorkerApp(maintenanceWorker, async ({ config, logger, blobs, onStop }) => {
  await blobs.prepare();
  onStop(addGauges(readJobGauges));
  onStop(addGauges(readLimitGauges));
  onStop(startSweeper({ config, logger }));
  onStop(startOutcomeKeeper({ logger }));
  onStop(startReplays({ logger }));
  onStop(startPurge({ config, logger }));
  onStop(startStorageSweep({ config, logger, blobs }));
  onStop(startSpecRefresh({ config, logger }));
  onStop(startSpecReviews({ logger }));
  onStop(startDueTranslations({ config, logger }));
  onStop(startSiteHostChecks({ config, logger }));
  onStop(startHostnameChecks({ config, logger }));
  onStop(startCertificates({ config, logger }));
  onStop(startIndexer({ logger, blobs }));
  onStop(startWebhooks({ config, logger }));
  const trees = createTreeBuilder(config);
  onStop(() => trees.close());
  return { importContent: createImportContent({ config, blobs, trees }) };
});
