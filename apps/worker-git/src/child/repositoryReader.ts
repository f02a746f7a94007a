import { join } from 'node:path';
import { JobError } from '@bindery/contract/jobErrors';
import { createLimitedProcesses, faultPoint, ownFolder } from '@bindery/runtime';

import type { UnrecordedPush } from './unrecordedPush.ts';
import {
  lentSpool,
  type ExportAsks,
  type ExportOutcome,
  type ExportPoint,
  type ExportRequest,
  type ExportStage,
} from './repositoryExport.ts';
import {
  spoolName,
  type KnownBlobs,
  type ReadingPoint,
  type ReadingStage,
  type RepositoryReading,
  type RepositoryRequest,
} from './repositoryReading.ts';
import type { RepositoryEvent, RepositoryWork } from './repositoryWork.ts';

/** For a reading without any stored content. */
export const nothingKnown = async (): Promise<KnownBlobs> => ({
  pages: new Uint8Array(),
  files: new Uint8Array(),
});

export type ReadControl = {
  /** Ends the reading immediately, with the signal's reason. */
  signal: AbortSignal;
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  /**
   * Loads the stored blobs; called only when the ref points to another commit than the known one. Default:
   * nothing is stored.
   */
  loadKnown?(): Promise<KnownBlobs>;
  /** Whether the space knows a commit whose message names one of its jobs. Default: it does not. */
  isUnrecordedPush?(commit: UnrecordedPush): Promise<boolean>;
};

export type WriteControl = ExportAsks & {
  /** Ends the export immediately, with the signal's reason; a push already sent is not undone. */
  signal: AbortSignal;
  onStage(stage: ExportStage, done?: number, total?: number): void;
  onPoint(point: ExportPoint): Promise<void>;
};

/** Reads and writes remote repositories, each in a process of its own. */
export type RepositoryReader = {
  /**
   * Reads the content of a space from a repository; see `RepositoryRequest`.
   *
   * @throws JobError; `memory` when the process ended without an answer; the signal's reason
   */
  read(request: RepositoryRequest, control: ReadControl): Promise<RepositoryReading>;
  /**
   * Writes the content of a space to a branch; see `writeRepository`. After a success the work folder is
   * removed, as soon as the process has ended.
   *
   * @throws JobError; `memory` when the process ended without an answer; the signal's reason; the error of an
   *   ask or a point
   */
  write(request: ExportRequest, control: WriteControl): Promise<ExportOutcome>;
  /** Ends all processes; running work fails. */
  close(): Promise<void>;
};

export type RepositoryReaderOptions = {
  /** Keeps an idle process for the next job, so that no job waits for the start of Node. */
  prewarm: boolean;
  /** Heap of each process. */
  memoryMb: number;
  /** `BINDERY_CHILD_UID`. */
  childUid?: number;
};

export function createRepositoryReader({
  prewarm,
  memoryMb,
  childUid,
}: RepositoryReaderOptions): RepositoryReader {
  const processes = createLimitedProcesses<RepositoryWork>({
    name: 'repository',
    script: new URL('repositoryChild.ts', import.meta.url),
    memoryMb,
    // Buffers are freed with the young objects that own them: a small space for those halves the memory, at
    // no cost in time.
    nodeOptions: ['--max-semi-space-size=1'],
    prewarmed: prewarm ? 1 : 0,
    firstUid: childUid,
    outOfMemory: () =>
      new JobError('memory', 'The exchange with the repository exceeded its memory limit.', {
        action: 'Choose a smaller folder of it with `repoProjectDirectory`, or raise BINDERY_GIT_MEMORY_MB.',
      }),
  });

  return {
    read: async (
      { workFolder: path, ...request },
      { signal, onStage, loadKnown = nothingKnown, isUnrecordedPush = async () => false },
    ) => {
      const workFolder = ownFolder(path);
      const onEvent = follow(onStage, (point: ReadingPoint) => faultPoint(`git_import.${point}`));
      const asks = { known: loadKnown, isUnrecordedPush };
      const reading = await processes.run(
        'read',
        { ...request, workFolder },
        { signal, onEvent, asks, folder: { path } },
      );
      if (reading.unchanged) return reading;
      // The process only names ranges of the file; the worker opens no path chosen by the process.
      return { ...reading, spool: { ...reading.spool, path: join(workFolder, spoolName) } };
    },
    write: async ({ workFolder: path, ...request }, { signal, onStage, onPoint, ...asks }) =>
      processes.serve(
        'write',
        { ...request, workFolder: ownFolder(path) },
        {
          signal,
          onEvent: follow(onStage, onPoint),
          asks,
          folder: { path, lent: [lentSpool], isRemoved: true },
        },
      ),
    close: async () => processes.close(),
  };
}

function follow<Stage extends string, Point extends string>(
  onStage: (stage: Stage, done?: number, total?: number) => void,
  onPoint: (point: Point) => Promise<void>,
) {
  return async (event: RepositoryEvent<Stage, Point>) => {
    if (event.kind === 'point') await onPoint(event.point);
    else onStage(event.stage, event.done, event.total);
  };
}
