import { runWorkerApp } from '@bindery/worker';
import { createSpecReader } from './child/specReader.ts';
import { createProcessSpec } from './processSpec.ts';
import { openapiWorker } from './worker.ts';

await runWorkerApp(openapiWorker, async ({ config, blobs, onStop }) => {
  const reader = await createSpecReader(config);
  onStop(() => reader.close());
  return { processSpec: createProcessSpec({ config, blobs, reader }) };
});
