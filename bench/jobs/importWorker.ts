import { watchThread, type ThreadWatch } from '../../test/support/content/watchThread.ts';

// The real maintenance worker, with its main thread monitored. Its first message reports that it is ready.

let watch: ThreadWatch | undefined;
process.on('message', (message) => {
  if (message === 'start') watch = watchThread();
  process.send?.(
    message === 'start'
      ? 'started'
      : { gapMs: watch?.longestGapMs(), holdMs: watch?.longestHoldMs(), workMs: watch?.longestWorkMs() },
  );
});
await import('../../apps/worker-maintenance/src/main.ts');
