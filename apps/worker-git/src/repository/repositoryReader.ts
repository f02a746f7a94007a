import { JobError } from '@bindery/contract';
import { faultPoint } from '@bindery/runtime';

import { ReadingProcess } from './readingProcess.ts';
import type { KnownBlobs, ReadingStage, RepositoryReading, RepositoryRequest } from './repositoryReading.ts';

const nothingKnown = async (): Promise<KnownBlobs> => ({ facts: [], fileOids: [] });

export type ReadControl = {
  /** Ends the reading at once, with the signal's reason. */
  signal: AbortSignal;
  onStage(stage: ReadingStage, done?: number, total?: number): void;
  /** What is stored already; only asked for when the ref points to another commit than the known one. Default: nothing is. */
  loadKnown?(): Promise<KnownBlobs>;
};

/** Reads remote repositories, each in a process of its own. */
export type RepositoryReader = {
  /**
   * Reads what a space needs from a repository; see `RepositoryRequest`.
   *
   * @throws JobError; `memory` when the process ended without an answer; the signal's reason
   */
  read(request: RepositoryRequest, control: ReadControl): Promise<RepositoryReading>;
  /** Ends all processes; readings that still run fail. */
  close(): void;
};

/**
 * @param options.prewarm   keeps one process started for the next reading, so that no job pays for the start of Node
 * @param options.memoryMb  heap of each process
 */
export function createRepositoryReader({ prewarm, memoryMb }: { prewarm: boolean; memoryMb: number }): RepositoryReader {
  let next: ReadingProcess | undefined;
  let isClosed = false;
  const running = new Set<ReadingProcess>();

  const warmUp = () => {
    if (prewarm && !isClosed && !next?.isReady) next = new ReadingProcess(memoryMb);
  };
  const take = () => {
    const taken = next?.isReady ? next : new ReadingProcess(memoryMb);
    next = undefined;
    return taken;
  };
  warmUp();

  return {
    read: async (request, { signal, onStage, loadKnown = nothingKnown }) => {
      signal.throwIfAborted();
      if (isClosed) throw new JobError('internal', 'The reader of repositories is closed.');
      const reading = take();
      running.add(reading);
      const stop = () => reading.kill();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await reading.run(request, { onStage, loadKnown, onPoint: (point) => faultPoint(`git_import.${point}`) });
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        signal.removeEventListener('abort', stop);
        reading.kill();
        running.delete(reading);
        // Only now: its start would have taken time from the reading.
        warmUp();
      }
    },
    close: () => {
      isClosed = true;
      for (const process of [...running, ...(next ? [next] : [])]) process.kill();
    },
  };
}
