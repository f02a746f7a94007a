import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type ChildMessage, outOfMemory, type ParentMessage, toJobError } from './childMessages.ts';
import { findCompileCache } from './compileCache.ts';
import type { RepositoryAsks, RepositoryWork, WorkControl, WorkKind } from './repositoryWork.ts';

const childPath = fileURLToPath(new URL('repositoryChild.ts', import.meta.url));
const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

const compileCache = findCompileCache();

/** One arena for all threads of glibc's malloc: buffers are freed by another thread than the one that made them. */
const sparingMalloc = { MALLOC_ARENA_MAX: '1' };

/** Address space beside the heap: buffers lie outside of it, and Node reserves 1.5 GB before it runs anything. */
const addressSpaceMb = 1_790;

/** A process that waits for one request, serves it and is killed. */
export class RepositoryProcess {
  readonly #child: ChildProcess;

  constructor(memoryMb: number) {
    this.#child = start(memoryMb);
    // A process that waits keeps nobody from ending.
    this.#child.unref();
    this.#child.channel?.unref();
    // What went wrong is known by its end.
    this.#child.on('error', () => {});
  }

  /** Whether it can take a request. */
  get isReady(): boolean {
    return !this.#hasEnded && this.#child.connected;
  }

  /** @throws JobError */
  run<Kind extends WorkKind>(
    work: Kind,
    request: RepositoryWork[Kind]['request'],
    { onStage, onPoint, asks }: WorkControl<Kind>,
  ): Promise<RepositoryWork[Kind]['result']> {
    const child = this.#child;
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      child.on('message', (message: ChildMessage) => {
        if (message.kind === 'stage') onStage(message.stage, message.done, message.total);
        else if (message.kind === 'point') onPoint(message.point).catch(reject);
        else if (message.kind === 'ask')
          answer(asks, message).then((given) => this.#tell({ kind: 'answer', id: message.id, answer: given }), reject);
        else if (message.kind === 'done') resolve(message.result);
        else reject(toJobError(message.failure));
      });
      // After `exit` messages can still arrive; after `disconnect` none does.
      child.once('disconnect', () => reject(outOfMemory()));
      child.once('error', reject);
      this.#tell({ kind: 'request', work, request } as ParentMessage, (error) => error && reject(outOfMemory()));
    });
  }

  /** Kills it with everything that it started. */
  kill(): void {
    if (this.#child.pid === undefined || this.#hasEnded) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }

  #tell(message: ParentMessage, onSent: (error: Error | null) => void = () => {}): void {
    this.#child.send(message, onSent);
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}

/** Only what this work may ask is answered. */
async function answer(asks: Partial<RepositoryAsks>, { name, argument }: Extract<ChildMessage, { kind: 'ask' }>): Promise<unknown> {
  const ask = asks[name] as ((argument: unknown) => Promise<unknown>) | undefined;
  if (!Object.hasOwn(asks, name) || !ask) throw new Error('The process of a repository asked for what it may not have.');
  return ask(argument);
}

function start(memoryMb: number): ChildProcess {
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Buffers are freed with the young objects that stand for them: a small space for those halves the memory, and costs no time.
    '--max-semi-space-size=1',
    // Otherwise 1 to 10 GB of address space are reserved for each WebAssembly memory, such as the HTTP parser's.
    '--disable-wasm-trap-handler',
    '--wasm-max-mem-pages=1024',
    childPath,
  ];
  const [command, ...args] = prlimitPath ? [prlimitPath, `--as=${(addressSpaceMb + memoryMb) * 1024 * 1024}`, ...node] : node;
  return spawn(command!, args, {
    // A group of its own: a signal for the worker's group is not for it, and it is killed with all it has started.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // None of the worker's environment: keys and database URLs are not for a process that reads strangers' bytes.
    env: { ...sparingMalloc, ...(compileCache && { NODE_COMPILE_CACHE: compileCache }) },
  });
}
