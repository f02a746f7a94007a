import { watchThread, type ThreadWatch } from '../../test/support/content/watchThread.ts';

// The maintenance worker as it is, with a watch on its main thread. The first message that it sends says that
// it is ready.

let watch: ThreadWatch | undefined;
process.on('message', (message) => {
  if (message === 'start') watch = watchThread();
  process.send?.(
    message === 'start' ? 'started' : { gapMs: watch?.longestGapMs(), workMs: watch?.longestWorkMs() },
  );
});
await import('../../apps/worker-maintenance/src/main.ts');
