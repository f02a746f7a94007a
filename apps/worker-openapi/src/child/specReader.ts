import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { JobError } from '@bindery/contract';
import { prepareValidators } from '@bindery/openapi';
import {
  createLimitedProcesses,
  createWorkFolder,
  removeWorkFolder,
  type Config,
  type HandedFolder,
  type Logger,
} from '@bindery/runtime';
import type { SpecReading, SpecRequest, SpecWorks } from './specWork.ts';

export type ReadingRun = {
  signal: AbortSignal;
  logger: Logger;
  folder: HandedFolder;
  /** Called when the entry document has arrived. */
  onFetched(): Promise<void>;
};

/** Reads specifications, each in a process of its own. */
export type SpecReader = {
  /**
   * Fetches and reads a specification. A document that exceeds the limits of the process, or breaks it, is
   * an unusable one.
   *
   * @throws JobError when the document cannot be fetched, or the worker has no space left; the reason of the
   *   signal
   */
  read(
    request: Omit<SpecRequest, 'validatorFolder' | 'fetchTimeoutMs'>,
    run: ReadingRun,
  ): Promise<SpecReading>;
  /** Ends all processes; running works fail. */
  close(): Promise<void>;
};

/** Prepares what all reading processes share, which takes half a second. */
export async function createSpecReader({
  openapi: { memoryMb, timeoutMs, fetchTimeoutMs },
  children,
}: Pick<Config, 'openapi' | 'children'>): Promise<SpecReader> {
  const folder = await createWorkFolder('openapi');
  // The users of the processes may read files in it, and only the worker may write.
  await chmod(folder, 0o711);
  const validatorFolder = join(folder, 'validators');
  await prepareValidators(validatorFolder);
  const processes = createLimitedProcesses<SpecWorks>({
    name: 'specification',
    script: new URL('specChild.ts', import.meta.url),
    memoryMb,
    firstUid: children.firstUid,
    prewarmed: 1,
    outOfMemory: () =>
      new JobError(
        'memory',
        `Reading the specification exceeded the memory limit of ${memoryMb} MB, or ended its process.`,
        { class: 'invalid' },
      ),
  });

  const read: SpecReader['read'] = async (request, { signal, logger, folder, onFetched }) => {
    let isFetched = false;
    const watch = createWatch(timeoutMs);
    try {
      return await processes.run(
        'read',
        { ...request, fetchTimeoutMs, validatorFolder },
        {
          signal: AbortSignal.any([signal, watch.signal]),
          folder,
          onEvent: async ({ kind }) => {
            if (kind === 'fetches') return watch.pause();
            watch.start();
            if (isFetched) return;
            isFetched = true;
            await onFetched();
          },
        },
      );
    } catch (error) {
      if (!isFetched || signal.aborted || isAboutWorker(error)) throw error;
      logger.warn({ err: error }, 'a specification could not be read');
      return unreadable(error as JobError);
    } finally {
      watch.pause();
    }
  };
  const close = async () => {
    await processes.close();
    await removeWorkFolder(folder);
  };
  return { read, close };
}

/** Aborts when the process exceeds its time limit; waiting for a server stops the clock and resets it. */
function createWatch(timeoutMs: number) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const pause = () => clearTimeout(timer);
  return {
    signal: late.signal,
    pause,
    start: () => {
      pause();
      timer = setTimeout(() => late.abort(tooSlow(timeoutMs)), timeoutMs);
    },
  };
}

function tooSlow(timeoutMs: number): JobError {
  return new JobError(
    'limit',
    `Reading the specification took longer than the limit of ${timeoutMs / 1_000} seconds.`,
  );
}

/** Errors that the document has not caused. */
function isAboutWorker(error: unknown): boolean {
  return !(error instanceof JobError) || error.code === 'no_space';
}

function unreadable({ code, message }: JobError): SpecReading {
  const isBug = code === 'internal';
  const finding = {
    rule: isBug ? 'reading-failed' : `reading-${code.replaceAll('_', '-')}`,
    message: isBug
      ? 'Reading the specification failed because of an internal error; the log of the server contains it.'
      : message,
  };
  return { kind: 'unusable', findings: [finding], findingCount: 1 };
}
