// The thread that writes books, one after the other. It works synchronously: nothing else waits for it.
import { parentPort } from 'node:worker_threads';
import { JobError } from '@bindery/contract/jobErrors';
import { Book } from './book/book.ts';
import type { BookAnswer, BookFailure, BookRequest } from './messages.ts';

type Opening = Extract<BookRequest, { kind: 'open' }>;

let opening: Opening | undefined;
let book: Book | undefined;

parentPort!.on('message', (request: BookRequest) => {
  if (request.kind === 'open') opening = request;
  else parentPort!.postMessage(answer(request, opening!));
  // While the thread waits for the next book, nothing of this one stays in memory.
  if (request.kind === 'finish') book = undefined;
});

function answer(request: Exclude<BookRequest, Opening>, { path, properties }: Opening): BookAnswer {
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
