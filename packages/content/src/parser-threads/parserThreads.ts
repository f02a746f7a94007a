import { createPersistentThread, type PersistentThread } from '@bindery/runtime/threads';
import { specBytesMb } from '../openapi/specBytes.ts';
import { threadFunctions, type ThreadFunctions } from './threadFunctions.ts';

/** Allows several times the slowest usual text on a busy machine; a slower task is aborted. */
const limitMs = (characters: number) => Math.min(30_000, 5_000 + characters / 10);
const maxThreads = 3;
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
/** A thread, and the organization whose task it has. */
type Thread = { thread: PersistentThread<ThreadTask, unknown>; organization?: string | undefined };

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
  const free = threads.values().find(({ organization }) => organization === undefined);
  if (!free && threads.size === maxThreads) return;
  const task = takeNext();
  if (task) void run(task, free ?? addThread());
}

/** The first task of the next organization. */
function takeNext(): Waiting | undefined {
  const running = Map.groupBy(threads, ({ organization }) => organization);
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

function addThread(): Thread {
  const script = new URL('./parserThread.ts', import.meta.url);
  const added = { thread: createPersistentThread<ThreadTask, unknown>(script, { resourceLimits }) };
  threads.add(added);
  return added;
}

async function run({ name, input, ...task }: Waiting, on: Thread): Promise<void> {
  on.organization = task.organization;
  try {
    const result = await on.thread
      .ask({ name, input }, limitMs(task.characters))
      // If no thread can start, runs the task here.
      .catch(() => ({ answer: threadFunctions[name](input as never) }));
    task.done(result?.answer);
  } catch (error) {
    task.failed(error);
  } finally {
    on.organization = undefined;
    startNext();
  }
}
