import { planExport } from '@bindery/content/export';
import { readRepository } from '../../../apps/worker-git/src/child/readRepository.ts';
import {
  createRepositoryReader,
  nothingKnown,
  type RepositoryReader,
  type RepositoryReaderOptions,
} from '../../../apps/worker-git/src/child/repositoryReader.ts';
import { writeRepository } from '../../../apps/worker-git/src/child/writeRepository.ts';

/**
 * Reads and writes repositories in the process of the test, with the functions that a worker has its child processes call: for tests of what comes of
 * many repositories, where each process would take most of the time. It bounds no memory, and what it began it ends.
 */
export function createReaderHere(): RepositoryReader {
  return {
    read: async (request, { signal, onStage, loadKnown = nothingKnown, isUnrecordedPush }) => {
      signal.throwIfAborted();
      return readRepository(request, { onStage, onPoint: () => {}, loadKnown, isUnrecordedPush: isUnrecordedPush ?? (async () => false) });
    },
    write: async (request, { signal, onPoint, ...talk }) => {
      signal.throwIfAborted();
      return writeRepository(request, { ...talk, onPoint: (point) => void onPoint(point), plan: async (input) => planExport(input) });
    },
    close: async () => {},
  };
}

/** A reader that starts with processes of its own, as in production. */
export type LeavingReader = RepositoryReader & {
  /** Ends the processes; what is asked for from now on is read and written in the process of the test. */
  readHere(): Promise<void>;
};

/** @param options  of the processes; undefined for a reader that has none from the beginning */
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
