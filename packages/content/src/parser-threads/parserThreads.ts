import { Worker } from 'node:worker_threads';
import { specBytesMb } from '../openapi/specBytes.ts';
import { threadFunctions, type ThreadFunctions } from './threadFunctions.ts';

/** Allows several times the slowest usual text on a busy machine; a slower task is aborted. */
const limitMs = (characters: number) => Math.min(30_000, 5_000 + characters / 10);
const maxThreads = 3;
/** Time limit for a thread to load its modules on a busy machine. */
const startMs = 30_000;
/** One organization always leaves a thread to the others. */
const maxThreadsOfOne = maxThreads - 1;
/** Ensures that a hostile page ends its thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 384, stackSizeMb: 4 };

/** Megabytes of memory that all threads of a process may use together, with the specifications they share. */
export const parsingMemoryMb = maxThreads * resourceLimits.maxOldGenerationSizeMb + specBytesMb;

type Name = keyof ThreadFunctions;
type Input<N extends Name> = Parameters<ThreadFunctions[N]>[0];
type Result<N extends Name> = ReturnType<ThreadFunctions[N]>;

/** A function of `threadFunctions` for a thread to call, with its argument. */
export type ThreadTask = { name: Name; input: Input<Name> };
/** The owner of the texts that a task reads, and their length in characters or bytes. */
export type ThreadLoad = { organization: string; characters: number };
type Waiting = ThreadTask &
  ThreadLoad & { done: (result: unknown) => void; failed: (error: unknown) => void };
type Thread = { worker: Worker; isReady: boolean; task?: Waiting | undefined; timer?: NodeJS.Timeout };
/** A message of a thread: once that it has loaded, then the result of each task. */
export type ThreadMessage = { isReady: true } | { result: unknown };

const threads = new Set<Thread>();
/** By organization; the next one to be served comes first. */
const waiting = new Map<string, Waiting[]>();

/**
 * Calls a function of `threadFunctions` on another thread, because some texts take long. For processes that
 * answer requests or hold leases, which it would block. Organizations take turns, and none gets all threads.
 *
 * @returns undefined when it took too long for its length, or too much memory
 */
export async function runOnThread<N extends Name>(
  name: N,
  input: Input<N>,
  load: ThreadLoad,
): Promise<Result<N> | undefined> {
  return new Promise((done, failed) => {
    const task: Waiting = { name, input, ...load, done: done as (result: unknown) => void, failed };
    const before = waiting.get(load.organization);
    if (before) before.push(task);
    else waiting.set(load.organization, [task]);
    startNext();
  });
}

function startNext(): void {
  const thread = threads.values().find(({ task }) => !task);
  if (!thread && threads.size === maxThreads) return;
  const task = takeNext();
  if (task) start(task, thread ?? startThread());
}

/** The first task of the next organization. */
function takeNext(): Waiting | undefined {
  const running = Map.groupBy(threads, ({ task }) => task?.organization);
  const next = waiting
    .entries()
    .find(([organization]) => (running.get(organization)?.length ?? 0) < maxThreadsOfOne);
  if (!next) return undefined;
  const [organization, [task, ...later]] = next;
  // To the end of the queue.
  waiting.delete(organization);
  if (later.length > 0) waiting.set(organization, later);
  return task;
}

function start(task: Waiting, thread: Thread): void {
  thread.task = task;
  limit(thread, thread.isReady ? limitMs(task.characters) : startMs);
  thread.worker.ref();
  thread.worker.postMessage({ name: task.name, input: task.input } satisfies ThreadTask);
}

function limit(thread: Thread, ms: number): void {
  clearTimeout(thread.timer);
  thread.timer = setTimeout(() => void thread.worker.terminate(), ms);
}

function startThread(): Thread {
  // The thread must not inherit the Node options of this process.
  const worker = new Worker(new URL('./parserThread.ts', import.meta.url), { execArgv: [], resourceLimits });
  const thread: Thread = { worker, isReady: false };
  threads.add(thread);
  worker.on('message', (message: ThreadMessage) => {
    if ('isReady' in message) {
      thread.isReady = true;
      if (thread.task) limit(thread, limitMs(thread.task.characters));
      return;
    }
    // An idle thread must not keep the process alive.
    worker.unref();
    end(thread, () => message.result);
  });
  // The thread exits after an error.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    threads.delete(thread);
    // If no thread can start, runs the task here.
    end(thread, ({ name, input }) => (thread.isReady ? undefined : threadFunctions[name](input as never)));
  });
  return thread;
}

function end(thread: Thread, resultOf: (task: ThreadTask) => unknown): void {
  const { task } = thread;
  thread.task = undefined;
  clearTimeout(thread.timer);
  if (task) {
    try {
      task.done(resultOf(task));
    } catch (error) {
      task.failed(error);
    }
  }
  startNext();
}
