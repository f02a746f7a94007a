import { parentPort } from 'node:worker_threads';

/** A message of a thread: once that it has loaded its modules, then the answer to each request. */
export type ThreadMessage<Answer> = { isReady: true } | { answer: Answer };

/**
 * Answers the requests of `createPersistentThread` on its thread. An error of `answer` ends the thread.
 *
 * @param answer  returns what can be cloned to another thread
 */
export function answerRequests<Request, Answer>(
  answer: (request: Request) => Answer | Promise<Answer>,
): void {
  const tell = (message: ThreadMessage<Answer>) => parentPort?.postMessage(message);
  const reply = async (request: Request) => tell({ answer: await answer(request) });
  parentPort?.on('message', (request: Request) => void reply(request));
  tell({ isReady: true });
}
