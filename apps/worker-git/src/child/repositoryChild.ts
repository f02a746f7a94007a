import { serveOneRequest } from '@bindery/runtime/child';
import type { RepositoryEvent, RepositoryWork } from './repositoryWork.ts';

// The process that reads or writes one repository, then ends. It is started before its request arrives
// through the channel, so that credentials are in no argument, environment or file. The channel is its only
// access to the platform: it has no database, no queue, no keys. It loads no schema, which would take a third
// of its start time: its imports name the modules of @bindery/contract that have none.

serveOneRequest<RepositoryWork>(
  {
    read: async () => {
      const { readRepository } = await import('./readRepository.ts');
      return (request, { tell, ask }) =>
        readRepository(request, {
          ...throttled(tell),
          loadKnown: () => ask('known'),
          isUnrecordedPush: (commit) => ask('isUnrecordedPush', commit),
        });
    },
    write: async () => {
      const [{ writeRepository }, { planExport, planTexts }] = await Promise.all([
        import('./writeRepository.ts'),
        import('@bindery/content/export'),
      ]);
      return (request, { tell, ask }) =>
        writeRepository(request, {
          ...throttled(tell),
          texts: () => ask('texts'),
          contents: () => ask('contents'),
          documents: (hashes) => ask('documents', hashes),
          files: (blobs) => ask('files', blobs),
          unrecorded: (push) => ask('unrecorded', push),
          ready: (commit) => ask('ready', commit),
          plan: async (input) => planExport(input),
          planTexts,
        });
    },
  },
  { loadRehearsal: async () => (await import('./rehearse.ts')).rehearse },
);

const quietMs = 100;

/**
 * Limits progress messages, because a pack can have a hundred thousand objects; the start of each stage is
 * always sent.
 */
function throttled<Stage extends string, Point extends string>(
  tell: (event: RepositoryEvent<Stage, Point>) => void,
) {
  let toldAt = -Infinity;
  let toldStage: string | undefined;
  return {
    onStage: (stage: Stage, done?: number, total?: number) => {
      const now = performance.now();
      if (stage === toldStage && now - toldAt < quietMs) return;
      toldStage = stage;
      toldAt = now;
      tell({ kind: 'stage', stage, done, total });
    },
    onPoint: (point: Point) => tell({ kind: 'point', point }),
  };
}
