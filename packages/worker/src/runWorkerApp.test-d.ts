// Only compiled: each line under `@ts-expect-error` must not compile.
import type { gitJobs, Processor } from '@bindery/jobs';
import { runWorkerApp, type WorkerDescription, type WorkerParts } from './index.ts';

type Git = typeof gitJobs;

declare const worker: WorkerDescription<Git>;
declare const importRepository: Processor<Git['importRepository']>;
declare const exportRepository: Processor<Git['exportRepository']>;

void runWorkerApp(worker, () => ({ importRepository, exportRepository }));
void runWorkerApp(worker, async ({ config, onStop }: WorkerParts) => {
  onStop(() => void config);
  return { importRepository, exportRepository };
});
void runWorkerApp(worker, () => ({
  importRepository,
  exportRepository: async ({ commitMessage, ref }, { signal }) => {
    signal.throwIfAborted();
    throw new Error(`${commitMessage satisfies string} ${ref satisfies string}`);
  },
}));

// @ts-expect-error A processor is missing.
void runWorkerApp(worker, () => ({ importRepository }));
// @ts-expect-error A processor without a job type.
void runWorkerApp(worker, () => ({ importRepository, exportRepository, importWiki: exportRepository }));
// @ts-expect-error A processor without a job type, from an async function.
void runWorkerApp(worker, async () => ({ importRepository, exportRepository, importWiki: exportRepository }));
void runWorkerApp(worker, () => ({
  importRepository,
  // @ts-expect-error The result of no job type.
  exportRepository: async () => ({ result: { pages: 1 } }),
}));
