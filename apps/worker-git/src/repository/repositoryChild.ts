import { flushCompileCache } from 'node:module';

import { type ChildMessage, describeFailure, type ParentMessage } from './childMessages.ts';
import { readRepository } from './readRepository.ts';
import type { KnownBlobs, ReadingProgress, RepositoryRequest } from './repositoryReading.ts';

// The process that reads one repository, then ends. It is started ahead of its request, which comes through the channel: credentials
// are in no argument, environment or file. It has no other way to the platform: no database, no queue, no keys.

// It will be killed, which is too late for writing down what was compiled.
flushCompileCache();

process.on('disconnect', () => process.exit(0));
const known = Promise.withResolvers<KnownBlobs>();
process.on('message', (message: ParentMessage) => {
  if (message.kind === 'known') known.resolve(message.known);
  else void serve(message.request);
});
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);

async function serve(request: RepositoryRequest): Promise<void> {
  try {
    const reading = await readRepository(request, throttled());
    say({ kind: 'done', reading });
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  say({ kind: 'failed', failure: describeFailure(error) });
}

/** The process that asked kills this one when it has the answer; without it there is nothing left to do. */
function say(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

const quietMs = 100;

/** A pack of a hundred thousand objects is not worth as many messages; the start of each stage is always told. */
function throttled(): ReadingProgress {
  let toldAt = -Infinity;
  let toldStage: string | undefined;
  return {
    onStage: (stage, done, total) => {
      const now = performance.now();
      if (stage === toldStage && now - toldAt < quietMs) return;
      toldStage = stage;
      toldAt = now;
      say({ kind: 'stage', stage, ...(done !== undefined && { done }), ...(total !== undefined && { total }) });
    },
    onPoint: (point) => say({ kind: 'point', point }),
    loadKnown: () => {
      say({ kind: 'known?' });
      return known.promise;
    },
  };
}
