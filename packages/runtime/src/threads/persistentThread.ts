import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { ThreadMessage } from './answerRequests.ts';
import { createThreadRest, type ThreadRest } from './threadRest.ts';

/** Time limit for a thread to load its modules on a busy machine. */
const startMs = 30_000;

/**
 * A thread that answers requests one after the other. It ends after minutes without a request, and is started
 * again by the next one.
 */
export type PersistentThread<Request, Answer> = {
  /** Starts the thread in advance: loading its modules takes as long as many requests. */
  start(): void;
  /**
   * Sends a request once those before it are answered, so that each has the whole of its time.
   *
   * @param limitMs  milliseconds for this request, without the start of the thread
   * @returns undefined when the thread has ended: it exceeded a limit of time or memory, or failed
   * @throws Error when no thread can start
   */
  ask(request: Request, limitMs: number): Promise<{ answer: Answer } | undefined>;
  /** The number of requests that are not answered yet. */
  readonly waiting: number;
  readonly isClosed: boolean;
  /** Ends the thread; requests without an answer get undefined. */
  close(): Promise<void>;
};

type Running<Answer> = {
  worker: Worker;
  isReady: boolean;
  /** Of the request that the thread has now. */
  request?: Asked<Answer>;
  /** Begins while it has no request. */
  rest: ThreadRest;
};

type Asked<Answer> = {
  limitMs: number;
  timer?: NodeJS.Timeout;
  settle(result?: { answer: Answer }): void;
  fail(error: Error): void;
};

/**
 * Creates a thread that starts with its first request. Its script calls `answerRequests`. An idle thread does
 * not keep the process alive.
 *
 * @param options.resourceLimits  a request that exceeds them ends the thread, and not the process
 * @param options.restMs  milliseconds without a request after which the thread ends
 */
export function createPersistentThread<Request, Answer>(
  script: URL,
  { resourceLimits, restMs }: { resourceLimits: ResourceLimits; restMs?: number },
): PersistentThread<Request, Answer> {
  let running: Running<Answer> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  const start = (): Running<Answer> => {
    if (running) return running;
    // The thread must not inherit the Node options of this process.
    const worker = new Worker(script, { execArgv: [], resourceLimits });
    const forget = () => {
      if (running?.worker === worker) running = undefined;
    };
    const rest = createThreadRest(worker, { restMs, onRested: forget });
    const started: Running<Answer> = { worker, isReady: false, rest };
    worker.on('message', (message: ThreadMessage<Answer>) => {
      if ('answer' in message) started.request?.settle(message);
      else {
        started.isReady = true;
        if (started.request) limit(started, started.request.limitMs);
      }
    });
    // The thread exits after an error.
    let cause: unknown;
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      forget();
      if (started.isReady || isClosed) started.request?.settle();
      else started.request?.fail(new Error('A thread could not start.', { cause }));
    });
    rest.begin();
    return (running = started);
  };

  const askNow = async (request: Request, limitMs: number): Promise<{ answer: Answer } | undefined> => {
    if (isClosed) return undefined;
    const thread = start();
    thread.rest.end();
    const asked = Promise.withResolvers<{ answer: Answer } | undefined>();
    const own: Asked<Answer> = { limitMs, settle: asked.resolve, fail: asked.reject };
    thread.request = own;
    try {
      limit(thread, thread.isReady ? limitMs : startMs);
      thread.worker.postMessage(request);
      return await asked.promise;
    } finally {
      clearTimeout(own.timer);
      delete thread.request;
      if (running === thread) thread.rest.begin();
    }
  };

  return {
    start: () => void start(),
    ask: (request, limitMs) => {
      waiting += 1;
      const result = turn.then(() => askNow(request, limitMs)).finally(() => (waiting -= 1));
      turn = result.catch(() => undefined);
      return result;
    },
    get waiting() {
      return waiting;
    },
    get isClosed() {
      return isClosed;
    },
    close: async () => {
      isClosed = true;
      await running?.worker.terminate();
    },
  };
}

function limit<Answer>({ worker, request }: Running<Answer>, ms: number): void {
  if (!request) return;
  clearTimeout(request.timer);
  request.timer = setTimeout(() => void worker.terminate(), ms);
}
