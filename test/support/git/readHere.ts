import { planExport, planTexts } from '@bindery/content/export';
import { removeWorkFolder } from '@bindery/runtime';
import { readRepository } from '../../../apps/worker-git/src/child/readRepository.ts';
import {
  createRepositoryReader,
  nothingKnown,
  type RepositoryReader,
  type RepositoryReaderOptions,
} from '../../../apps/worker-git/src/child/repositoryReader.ts';
import { writeRepository } from '../../../apps/worker-git/src/child/writeRepository.ts';

/**
 * Creates a reader that works in the test's process, with the functions that a worker's child processes run:
 * for tests with many repositories, where processes would take most of the time. It does not limit memory,
 * and does not stop what it has begun.
 */
export function createReaderHere(): RepositoryReader {
  return {
    read: async (request, { signal, onStage, loadKnown = nothingKnown, isUnrecordedPush }) => {
      signal.throwIfAborted();
      return readRepository(request, {
        onStage,
        onPoint: () => {},
        loadKnown,
        isUnrecordedPush: isUnrecordedPush ?? (async () => false),
      });
    },
    write: async (request, { signal, onPoint, ...talk }) => {
      signal.throwIfAborted();
      const outcome = await writeRepository(request, {
        ...talk,
        onPoint: (point) => void onPoint(point),
        plan: async (input) => planExport(input),
        planTexts,
      });
      await removeWorkFolder(request.workFolder);
      return outcome;
    },
    close: async () => {},
  };
}

/** A reader that starts with child processes, as in production. */
export type LeavingReader = RepositoryReader & {
  /** Ends the processes; later requests run in the test's process. */
  readHere(): Promise<void>;
};

/** @param options  of the processes; undefined for a reader without any */
export function createLeavingReader(options: RepositoryReaderOptions | undefined): LeavingReader {
  let reader = options ? createRepositoryReader(options) : createReaderHere();
  return {
    read: async (request, control) => reader.read(request, control),
    write: async (request, control) => reader.write(request, control),
    readHere: async () => {
      const left = reader;
      reader = createReaderHere();
      await left.close();
    },
    close: async () => reader.close(),
  };
}
