// The thread that writes one book. It works synchronously: nothing else waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { JobError } from '@bindery/contract/jobErrors';
import { Book } from './book/book.ts';
import type { BookAnswer, BookFailure, BookRequest, ThreadData } from './messages.ts';

const { path, properties } = workerData as ThreadData;
let book: Book | undefined;

parentPort!.on('message', (request: BookRequest) => {
  parentPort!.postMessage(answer(request));
});

function answer(request: BookRequest): BookAnswer {
  try {
    book ??= new Book(path, properties);
    if (request.kind === 'finish') return { result: book.finish(request) };
    return { result: book.add(request.kind === 'front' ? 'front' : 'body', request.pdf, request.headings) };
  } catch (error) {
    book?.discard();
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): BookFailure {
  if (error instanceof JobError) return { code: error.code, message: error.message, action: error.action };
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return {
      code: 'no_space',
      message: 'There is no space left for the PDF.',
      action: 'Free some space for temporary files.',
    };
  return { code: 'internal', message: `The PDF could not be written: ${message}`, action: undefined };
}
