import { runWorkerApp } from '@bindery/worker';
import { createSpecReader } from './child/specReader.ts';
import { createSpecReviewer } from './child/specReviewer.ts';
import { createProcessSpec } from './processSpec.ts';
import { createReviewVersion } from './reviewVersion.ts';
import { openapiWorker } from './worker.ts';

await runWorkerApp(openapiWorker, async ({ config, blobs, onStop }) => {
  const reader = await createSpecReader(config);
  onStop(() => reader.close());
  const reviewer = createSpecReviewer(config);
  onStop(() => reviewer.close());
  return {
    processSpec: createProcessSpec({ config, blobs, reader }),
    reviewVersion: createReviewVersion({ blobs, reviewer }),
  };
});
