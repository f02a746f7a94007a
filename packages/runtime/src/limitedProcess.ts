import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JobError, type JobErrorClass, type JobErrorCode } from '@bindery/contract';

export type LimitedRun<Request, Event> = {
  /** The module that the process runs; it calls `serveOneRequest`. */
  script: URL;
  request: Request;
  /** Heap of the process, in megabytes. */
  memoryMb: number;
  /** The process is ended when it says nothing for so long. */
  quietMs: number;
  signal: AbortSignal;
  onEvent(event: Event): void;
  /** What the user is told when the process takes more memory than that, or hangs. */
  outOfMemory(): JobError;
  tooSlow(): JobError;
};

/**
 * Has a process of its own do one piece of work on bytes that strangers made: whatever they do to it, it is ended, and this process is not.
 *
 * It gets the request by its channel and nothing of the environment: no keys, no database.
 * @throws JobError, also what the work itself throws; the signal's reason
 */
export async function runLimited<Request, Event, Result>(run: LimitedRun<Request, Event>): Promise<Result> {
  const { signal, request, quietMs, onEvent } = run;
  signal.throwIfAborted();
  const child = start(run);
  const stop = () => kill(child);
  signal.addEventListener('abort', stop, { once: true });
  let quiet: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      const listen = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => reject(run.tooSlow()), quietMs);
      };
      child.on('message', (message: Answer<Event, Result>) => {
        listen();
        if (message.kind === 'event') onEvent(message.event);
        else if (message.kind === 'done') resolve(message.result);
        else reject(errorOf(message.failure, run));
      });
      // After `exit` messages can still arrive; after `disconnect` none does.
      child.once('disconnect', () => reject(run.outOfMemory()));
      child.once('error', reject);
      child.send({ request }, (error) => error && reject(run.outOfMemory()));
      listen();
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(quiet);
    signal.removeEventListener('abort', stop);
    kill(child);
  }
}

/** The other side of `runLimited`: serves the request that this process was started for. It is killed when the answer is there. */
export function serveOneRequest<Request, Event, Result>(serve: (request: Request, tell: (event: Event) => void) => Promise<Result>): void {
  const say = (answer: Answer<Event, Result>) => {
    if (process.connected) process.send?.(answer);
  };
  const fail = (error: unknown) => say({ kind: 'failed', failure: failureOf(error) });
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, fail);
  // Nobody waits for it any more.
  process.on('disconnect', () => process.exit(0));
  process.once('message', ({ request }: { request: Request }) => {
    serve(request, (event) => say({ kind: 'event', event })).then((result) => say({ kind: 'done', result }), fail);
  });
}

type Answer<Event, Result> =
  | { kind: 'event'; event: Event }
  | { kind: 'done'; result: Result }
  | { kind: 'failed'; failure: Failure | 'memory' };

/** A JobError as it crosses the boundary. `trace` is there for errors that are a bug of ours, and only for the log. */
type Failure = {
  code: JobErrorCode;
  class: JobErrorClass;
  message: string;
  action?: string;
  retryAfterMs?: number;
  trace?: string;
};

function failureOf(error: unknown): Failure | 'memory' {
  if (error instanceof JobError) {
    const { code, message, action, retryAfterMs } = error;
    return { code, class: error.class, message, ...(action && { action }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    return failureOf(new JobError('no_space', 'The worker has no disk space left.', { action: 'Free space in its temporary folder.' }));
  }
  if (code === 'ENOMEM' || code === 'Z_MEM_ERROR' || code === 'ERR_MEMORY_ALLOCATION_FAILED') return 'memory';
  if (error instanceof RangeError) {
    if (/allocation failed|Invalid (typed )?(array|string) (buffer )?length|ERR_STRING_TOO_LONG/i.test(error.message)) return 'memory';
    // Whoever nests deeper than a parser can follow means harm, or nothing.
    if (/call stack/i.test(error.message)) return failureOf(new JobError('bad_content', 'The content is nested too deeply to be read.'));
  }
  const trace = error instanceof Error ? error.stack : String(error);
  const bug = { code: 'internal', class: 'transient', message: 'Reading the content failed for a reason that is not its fault.' } as const;
  return { ...bug, ...(trace && { trace }) };
}

function errorOf(failure: Failure | 'memory', run: Pick<LimitedRun<never, never>, 'outOfMemory'>): JobError {
  if (failure === 'memory') return run.outOfMemory();
  const { code, message, trace, ...more } = failure;
  return new JobError(code, message, { ...more, ...(trace && { cause: new Error(trace) }) });
}

const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/** Address space beside the heap: buffers lie outside of it, and Node reserves 1.5 GB before it runs anything. */
const addressSpaceMb = 1_790;

function start({ script, memoryMb }: Pick<LimitedRun<never, never>, 'script' | 'memoryMb'>): ChildProcess {
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Otherwise 1 to 10 GB of address space are reserved for each WebAssembly memory, such as the HTTP parser's.
    '--disable-wasm-trap-handler',
    '--wasm-max-mem-pages=1024',
    fileURLToPath(script),
  ];
  const [command, ...args] = prlimitPath ? [prlimitPath, `--as=${(addressSpaceMb + memoryMb) * 1024 * 1024}`, ...node] : node;
  const compiled = getCompileCacheDir();
  return spawn(command!, args, {
    // A group of its own: a signal for the worker's group is not for it, and it is killed with all it has started.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // One arena for all threads of glibc's malloc: buffers are freed by another thread than the one that made them.
    env: { MALLOC_ARENA_MAX: '1', ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }) },
  });
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}
