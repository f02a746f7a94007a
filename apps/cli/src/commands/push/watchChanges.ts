import { watch } from 'node:fs';
import { messageOf } from '@bindery/runtime';
import { Refusal } from '../../refusal.ts';
import { isIgnored } from './walkFolder.ts';

/** Editors write a file in several steps, and programs write many files. */
const gatherMs = 300;

/** Tells of changes in a folder. */
export type FolderChanges = {
  /**
   * Waits for changes since the last call; all of them count once.
   *
   * @returns false when the signal ended the watch
   * @throws Refusal when the folder can no longer be watched
   */
  next(): Promise<boolean>;
  /** Ends the watch. */
  close(): void;
};

/** Watches a folder and all folders in it, but those of programs. */
export function watchChanges(root: string, signal: AbortSignal): FolderChanges {
  let isChanged = false;
  let failure: Refusal | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure = new Refusal(`${root} cannot be watched: ${messageOf(error)}`, [], { cause: error });
    wake();
  };
  const watcher = watch(root, { recursive: true }, (_type, name) => {
    if (name !== null && isIgnored(name)) return;
    // Not postponed by further changes, which may never end.
    gathering ??= setTimeout(() => {
      gathering = undefined;
      isChanged = true;
      wake();
    }, gatherMs);
  });
  watcher.on('error', fail);
  const stop = () => wake();
  signal.addEventListener('abort', stop);
  return {
    next: async () => {
      while (!isChanged && !failure && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (signal.aborted) return false;
      if (failure) throw failure;
      isChanged = false;
      return true;
    },
    close: () => {
      clearTimeout(gathering);
      signal.removeEventListener('abort', stop);
      watcher.close();
    },
  };
}
