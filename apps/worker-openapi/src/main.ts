import { runWorkerApp } from '@bindery/worker';
import { createSpecReader } from './child/specReader.ts';
import { createProcessSpec } from './processSpec.ts';
import { openapiWorker } from './worker.ts';

await runWorkerApp(openapiWorker, ({ config, blobs, onStop }) => {
  const reader = createSpecReader(config);
  onStop(() => reader.close());
  return { processSpec: createProcessSpec({ config, blobs, reader }) };
});
