import { Worker } from 'node:worker_threads';
import { ApiError, invalid } from '@bindery/contract';

/** A file that a person sends, and what is known of its units. */
export type FileToRead = {
  bytes: Uint8Array;
  format: 'tmx' | 'xliff';
  /** Units of other languages are problems. */
  pair: { source: string; target: string };
  organization: string;
  /** The glossary in these languages. */
  terms: { source: string; target: string }[];
};

/** A unit with a translation. */
export type TranslatedUnit = {
  id: string;
  line: number;
  source: string;
  target: string;
  /** Keys of the memory, by the roles that the text may have. */
  keys: { role: string; key: string }[];
  /** Whether the file says that an engine wrote it. */
  isMachine: boolean;
  /** Why the translation would be refused if an engine had written it. */
  failure?: string;
};

export type FileUnit =
  | TranslatedUnit
  | { id: string; line: number; isUntranslated: true }
  | { id: string; line: number; problem: string };

export type FileAnswer =
  | { units: FileUnit[]; isLast: boolean }
  | { refused: { message: string; action: string; line: number; column: number } };

/** Several times what the slowest batch takes on a busy machine. */
const limitMs = 30_000;
/** Heap of the thread, in megabytes. */
const memoryMb = 512;

/**
 * Reads and checks a file on a thread of its own, a batch of units at a time. The bytes move there.
 *
 * @throws invalid_request when the file cannot be read, or not within the limits of the server
 */
export async function* unitsOfFile(file: FileToRead): AsyncGenerator<FileUnit[]> {
  const thread = new Worker(new URL('./exchangeThread.ts', import.meta.url), {
    // The thread must not inherit the Node options of this process.
    execArgv: [],
    workerData: file,
    transferList: [file.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  // An error while a batch is being stored must not end the process. The next `answerOf` reports it.
  thread.on('error', () => {});
  try {
    let answer = await answerOf(thread);
    for (;;) {
      if ('refused' in answer) {
        const { message, action, line, column } = answer.refused;
        throw new ApiError('invalid_request', `Line ${line}, column ${column}: ${message}`, {
          action,
          details: [{ path: 'body', message }],
        });
      }
      yield answer.units;
      if (answer.isLast) return;
      const next = answerOf(thread);
      thread.postMessage('next');
      answer = await next;
    }
  } finally {
    await thread.terminate();
  }
}

async function answerOf(thread: Worker): Promise<FileAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<FileAnswer>();
  const timer = setTimeout(() => reject(new Error('It takes too long.')), limitMs);
  thread.once('message', resolve).once('error', reject).once('exit', endedEarly);
  function endedEarly() {
    reject(new Error('The thread ended without an answer.'));
  }
  try {
    return await promise;
  } catch {
    throw invalid('body', 'takes too much time or memory to be read. Split the file.');
  } finally {
    clearTimeout(timer);
    thread.off('message', resolve).off('error', reject).off('exit', endedEarly);
  }
}
