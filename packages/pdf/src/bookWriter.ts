import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { JobError } from '@bindery/contract/jobErrors';
import { createThreadRest, type ThreadRest } from '@bindery/runtime/threads';
import { limits } from './limits.ts';
import type {
  AddedChunk,
  BookAnswer,
  BookEnd,
  BookProperties,
  BookRequest,
  ChunkHeading,
  FinishedBook,
} from './messages.ts';

const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };
/** Memory of the thread of one book, in megabytes. */
export const mergingMemoryMb = resourceLimits.maxOldGenerationSizeMb;

/**
 * Merges what Chromium prints into one accessible PDF (PDF/UA-1), on a thread of its own.
 *
 * Calls run in order. Await each before the next chunk is printed but one, so that no more than one chunk
 * waits. After a failure every later call fails as well; then call `abort`.
 */
export type BookWriter = {
  /**
   * Appends a chunk to the body. Its buffer moves to the thread and cannot be used any more.
   *
   * @throws JobError `bad_content` for anything that Chromium does not print, for more visible headings than
   *   given, and for links to other addresses than http, https and mailto; `limit`, `no_space`, `memory`,
   *   `deadline`
   */
  addChunk(pdf: Uint8Array, content: { headings: ChunkHeading[] }): Promise<AddedChunk>;
  /** As `addChunk`, for the cover and the contents: printed last, they come first. */
  addFront(pdf: Uint8Array, content?: { headings?: ChunkHeading[] }): Promise<AddedChunk>;
  /** Completes the file. */
  finish(content: BookEnd): Promise<FinishedBook>;
  /** Ends the thread and removes the file, unless the book is finished. */
  abort(): Promise<void>;
};

type Thread = { worker: Worker; rest: ThreadRest };

/** A thread that waits for its book: loading its modules takes as long as printing a page. */
let idle: Thread | undefined;
/** A thread keeps the memory of a larger book, so it ends with it. */
const sheetsOfKeptThread = 1_000;

/**
 * Starts the thread of the next book in advance, unless one waits already. It ends after minutes without a
 * book.
 */
export function prepareBookWriter(): void {
  if (!idle) keep(startThread());
}

/** Ends a thread that waits for its book. */
export async function dropPreparedWriter(): Promise<void> {
  await idle?.worker.terminate();
}

function keep(thread: Thread): void {
  idle = thread;
  thread.worker.on('error', ignore);
  thread.rest.begin();
}

/** A thread for a book. One that has written another book is faster: its code is compiled by use. */
function takeThread(): Thread {
  const thread = idle ?? startThread();
  idle = undefined;
  thread.rest.end();
  thread.worker.off('error', ignore);
  return thread;
}

const ignore = () => undefined;

function startThread(): Thread {
  // The thread must not inherit the Node options of this process.
  const worker = new Worker(new URL('./bookThread.ts', import.meta.url), { execArgv: [], resourceLimits });
  const forget = () => {
    if (idle?.worker === worker) idle = undefined;
  };
  worker.on('exit', forget);
  return { worker, rest: createThreadRest(worker, { onRested: forget }) };
}

/**
 * @param path of a file that does not exist yet; it grows with each chunk
 */
export function createBookWriter({
  path,
  properties,
}: {
  path: string;
  properties: BookProperties;
}): BookWriter {
  const taken = takeThread();
  const { worker: thread } = taken;
  thread.postMessage({ kind: 'open', path, properties } satisfies BookRequest);
  let failed: JobError | undefined;
  let isFinished = false;
  let waiting: ((answer: BookAnswer | JobError) => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = (error: JobError) => {
    failed ??= error;
    waiting?.(failed);
  };
  const onMessage = (answer: BookAnswer) => waiting?.(answer);
  // The thread exits after an error.
  const onError = (error: NodeJS.ErrnoException) =>
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory() : unexpectedEnd(error));
  const onExit = () => end(unexpectedEnd());
  thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  // Between two calls it must not keep the process alive.
  thread.unref();

  async function ask<Result extends AddedChunk | FinishedBook>(
    request: BookRequest,
    transfer: ArrayBuffer[] = [],
  ): Promise<Result> {
    if (failed) throw failed;
    const { promise, resolve } = Promise.withResolvers<BookAnswer | JobError>();
    waiting = resolve;
    const timer = setTimeout(() => {
      end(new JobError('deadline', 'Merging a part of the PDF took too long.'));
      void thread.terminate();
    }, limits.messageMs);
    thread.ref();
    thread.postMessage(request, transfer);
    const answer = await promise;
    clearTimeout(timer);
    thread.unref();
    waiting = undefined;
    if (answer instanceof JobError) throw answer;
    if ('result' in answer) return answer.result as Result;
    const { code, message, action } = answer.failure;
    failed = new JobError(code, message, action === undefined ? {} : { action });
    throw failed;
  }

  function inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  const release = async ({ sheets }: FinishedBook) => {
    thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    if (idle || sheets > sheetsOfKeptThread) await thread.terminate();
    else keep(taken);
  };

  const add = (kind: 'chunk' | 'front', pdf: Uint8Array, headings: ChunkHeading[]) =>
    inOrder(() => {
      const owned = ownBuffer(pdf);
      return ask<AddedChunk>({ kind, pdf: owned, headings }, [owned.buffer]);
    });

  return {
    addChunk: (pdf, { headings }) => add('chunk', pdf, headings),
    addFront: (pdf, { headings = [] } = {}) => add('front', pdf, headings),
    finish: (content) =>
      inOrder(async () => {
        const finished = await ask<FinishedBook>({ kind: 'finish', ...content });
        isFinished = true;
        failed = new JobError('internal', 'The book is finished.');
        await release(finished);
        return finished;
      }),
    abort: async () => {
      if (isFinished) return;
      failed ??= new JobError('internal', 'The book was aborted.');
      await thread.terminate();
      await rm(path, { force: true });
    },
  };
}

/** A buffer that can be moved to a thread: alone in its memory. */
function ownBuffer(pdf: Uint8Array): Uint8Array<ArrayBuffer> {
  if (pdf.buffer instanceof ArrayBuffer && pdf.byteLength === pdf.buffer.byteLength)
    return pdf as Uint8Array<ArrayBuffer>;
  return Uint8Array.from(pdf);
}

function outOfMemory(): JobError {
  return new JobError('memory', 'Merging the PDF exceeded its memory limit.');
}

function unexpectedEnd(cause?: unknown): JobError {
  return new JobError('internal', 'The thread that writes the PDF has ended.', { cause });
}
