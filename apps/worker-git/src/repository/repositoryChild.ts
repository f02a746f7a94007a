import { flushCompileCache } from 'node:module';

import { type ChildMessage, describeFailure, type ParentMessage } from './childMessages.ts';
import { readRepository } from './readRepository.ts';
import type { RepositoryAsks, RepositoryWork, WorkKind } from './repositoryWork.ts';
import { type PlanExport, writeRepository } from './writeRepository.ts';

// The process that reads or writes one repository, then ends. It is started ahead of its request, which comes through the channel:
// credentials are in no argument, environment or file. It has no other way to the platform: no database, no queue, no keys.

// It will be killed, which is too late for writing down what was compiled.
flushCompileCache();

process.on('disconnect', () => process.exit(0));
const open = new Map<number, (answer: unknown) => void>();
process.on('message', (message: ParentMessage) => {
  if (message.kind === 'answer') return open.get(message.id)?.(message.answer);
  isAsked = true;
  void serve(message);
});
let isAsked = false;
let loaded: Promise<PlanExport> | undefined;
// Long enough for a request that is there already.
setTimeout(() => void prepare(), 20);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);

async function serve(message: Extract<ParentMessage, { kind: 'request' }>): Promise<void> {
  try {
    say({ kind: 'done', result: await work(message) });
  } catch (error) {
    fail(error);
  }
}

async function work(message: Extract<ParentMessage, { kind: 'request' }>): Promise<RepositoryWork[WorkKind]['result']> {
  const progress = throttled();
  if (message.work === 'read')
    return readRepository(message.request, { ...progress, loadKnown: () => ask('known'), isLeft: (commit) => ask('isLeft', commit) });
  const planning = loadPlanning();
  return writeRepository(message.request, {
    ...progress,
    documents: (hashes) => ask('documents', hashes),
    files: (blobs) => ask('files', blobs),
    left: (commit) => ask('left', commit),
    ready: (commit) => ask('ready', commit),
    plan: async (input) => (await planning)(input),
  });
}

/** What the first work of a process would have to wait for. A request that comes is not kept waiting for it. */
async function prepare(): Promise<void> {
  if (isAsked) return;
  const { rehearse } = await import('./rehearse.ts');
  await rehearse().catch(() => {});
  flushCompileCache();
  if (!isAsked) await loadPlanning();
}

/** What only exports need. */
function loadPlanning(): Promise<PlanExport> {
  return (loaded ??= import('@bindery/content/export').then(({ planExport }) => {
    flushCompileCache();
    return planExport;
  }));
}

/** Asks the process that started this one. An ask that fails there ends this process. */
function ask<Name extends keyof RepositoryAsks>(
  name: Name,
  ...[argument]: Parameters<RepositoryAsks[Name]>
): ReturnType<RepositoryAsks[Name]> {
  const id = open.size;
  const answer = new Promise<unknown>((resolve) => open.set(id, resolve));
  say({ kind: 'ask', id, name, argument });
  return answer as ReturnType<RepositoryAsks[Name]>;
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
function throttled() {
  let toldAt = -Infinity;
  let toldStage: string | undefined;
  return {
    onStage: (stage: RepositoryWork[WorkKind]['stage'], done?: number, total?: number) => {
      const now = performance.now();
      if (stage === toldStage && now - toldAt < quietMs) return;
      toldStage = stage;
      toldAt = now;
      say({ kind: 'stage', stage, ...(done !== undefined && { done }), ...(total !== undefined && { total }) });
    },
    onPoint: (point: RepositoryWork[WorkKind]['point']) => say({ kind: 'point', point }),
  };
}
