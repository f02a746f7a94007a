import { JobError } from '@bindery/contract';
import { faultPoint } from '@bindery/runtime';

import type { LeftCommit } from './leftCommit.ts';
import type { ExportAsks, ExportOutcome, ExportPoint, ExportRequest, ExportStage } from './repositoryExport.ts';
import { RepositoryProcess } from './repositoryProcess.ts';
import type { KnownBlobs, ReadingStage, RepositoryReading, RepositoryRequest } from './repositoryReading.ts';
import type { RepositoryWork, WorkControl, WorkKind } from './repositoryWork.ts';

const nothingKnown = async (): Promise<KnownBlobs> => ({ pages: new Uint8Array(), files: new Uint8Array() });

export type ReadControl = {
  /** Ends the reading at once, with the signal's reason. */
  signal: AbortSignal;
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  /** What is stored already; only asked for when the ref points to another commit than the known one. Default: nothing is. */
  loadKnown?(): Promise<KnownBlobs>;
  /** Whether the space knows a commit that says that it was made here. Default: it does not. */
  isLeft?(commit: LeftCommit): Promise<boolean>;
};

export type WriteControl = ExportAsks & {
  /** Ends the export at once, with the signal's reason; what was sent is not taken back. */
  signal: AbortSignal;
  onStage(stage: ExportStage, done?: number, total?: number): void;
  onPoint(point: ExportPoint): Promise<void>;
};

/** Reads and writes remote repositories, each in a process of its own. */
export type RepositoryReader = {
  /**
   * Reads what a space needs from a repository; see `RepositoryRequest`.
   *
   * @throws JobError; `memory` when the process ended without an answer; the signal's reason
   */
  read(request: RepositoryRequest, control: ReadControl): Promise<RepositoryReading>;
  /**
   * Writes the content of a space to a branch; see `writeRepository`.
   *
   * @throws JobError; `memory` when the process ended without an answer; the signal's reason; what an ask or a point threw
   */
  write(request: ExportRequest, control: WriteControl): Promise<ExportOutcome>;
  /** Ends all processes; what still runs fails. */
  close(): void;
};

/**
 * @param options.prewarm   keeps one process started for the next job, so that no job pays for the start of Node
 * @param options.memoryMb  heap of each process
 */
export function createRepositoryReader({ prewarm, memoryMb }: { prewarm: boolean; memoryMb: number }): RepositoryReader {
  let next: RepositoryProcess | undefined;
  let isClosed = false;
  const running = new Set<RepositoryProcess>();

  const warmUp = () => {
    if (prewarm && !isClosed && !next?.isReady) next = new RepositoryProcess(memoryMb);
  };
  const take = () => {
    const taken = next?.isReady ? next : new RepositoryProcess(memoryMb);
    next = undefined;
    return taken;
  };
  warmUp();

  async function run<Kind extends WorkKind>(
    work: Kind,
    request: RepositoryWork[Kind]['request'],
    { signal, ...control }: WorkControl<Kind> & { signal: AbortSignal },
  ): Promise<RepositoryWork[Kind]['result']> {
    signal.throwIfAborted();
    if (isClosed) throw new JobError('internal', 'The reader of repositories is closed.');
    const process = take();
    running.add(process);
    const stop = () => process.kill();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await process.run(work, request, control);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', stop);
      process.kill();
      running.delete(process);
      // Only now: its start would have taken time from the work.
      warmUp();
    }
  }

  return {
    read: (request, { signal, onStage, loadKnown = nothingKnown, isLeft = async () => false }) =>
      run('read', request, { signal, onStage, onPoint: (point) => faultPoint(`git_import.${point}`), asks: { known: loadKnown, isLeft } }),
    write: (request, { signal, onStage, onPoint, documents, files, left, ready }) =>
      run('write', request, { signal, onStage, onPoint, asks: { documents, files, left, ready } }),
    close: () => {
      isClosed = true;
      for (const process of [...running, ...(next ? [next] : [])]) process.kill();
    },
  };
}
