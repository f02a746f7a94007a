import { readFileSync } from 'node:fs';
import { connectMongo, mongoDatabase } from '@bindery/models';
import { createLogger, loadConfig } from '@bindery/runtime';
import { createBlobStore } from '@bindery/storage';
import { sweepStorage } from '../../apps/worker-maintenance/src/sweepStorage.ts';

export type SweepFigures = { ms: number; peakMb: number };

const config = loadConfig();
const logger = createLogger(config, { app: 'bench' });
await connectMongo(config);
const blobs = createBlobStore(mongoDatabase());
process.on('message', () => void sweep());
process.send?.('ready');

async function sweep(): Promise<void> {
  const startedMs = performance.now();
  // No other process refers to content, so no grace period is needed.
  await sweepStorage({
    ...config.storage,
    sweepIntervalMs: 0,
    graceMs: 0,
    blobs,
    logger,
    signal: new AbortController().signal,
  });
  const figures: SweepFigures = { ms: performance.now() - startedMs, peakMb: peakMb() };
  process.send?.(figures);
}

/** The peak from the kernel's figures for this process; `maxRSS` would include the parent process. */
function peakMb(): number {
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024);
}
