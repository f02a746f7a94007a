import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';

import { type ChildMessage, outOfMemory, toJobError } from './childMessages.ts';
import type { ReadingPoint, ReadingProgress, RepositoryReading, RepositoryRequest } from './repositoryReading.ts';

const childPath = fileURLToPath(new URL('repositoryChild.ts', import.meta.url));
const prlimitPath = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/** Address space beside the heap: buffers lie outside of it, and Node reserves 1.5 GB before it runs anything. */
const addressSpaceMb = 1_790;

/** A process that waits for one request, serves it and is killed. */
export class ReadingProcess {
  readonly #child: ChildProcess;

  constructor(memoryMb: number) {
    this.#child = start(memoryMb);
    // A process that waits keeps nobody from ending.
    this.#child.unref();
    this.#child.channel?.unref();
    // What went wrong is known by its end.
    this.#child.on('error', () => {});
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.connected;
  }

  /** @throws JobError */
  run(request: RepositoryRequest, { onStage, onPoint }: Pick<ReadingProgress, 'onStage'> & { onPoint(point: ReadingPoint): Promise<void> }): Promise<RepositoryReading> {
    const child = this.#child;
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      child.on('message', (message: ChildMessage) => {
        if (message.kind === 'stage') onStage(message.stage, message.done, message.total);
        else if (message.kind === 'point') onPoint(message.point).catch(reject);
        else if (message.kind === 'done') resolve(message.reading);
        else reject(toJobError(message.failure));
      });
      // After `exit` messages can still arrive; after `disconnect` none does.
      child.once('disconnect', () => reject(outOfMemory()));
      child.once('error', reject);
      child.send(request, (error) => error && reject(outOfMemory()));
    });
  }

  /** Kills it with everything that it started. */
  kill(): void {
    if (this.#child.pid === undefined || !this.isAlive) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function start(memoryMb: number): ChildProcess {
  const node = [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Its buffers live and die with the young objects: a small space for those frees them early.
    '--max-semi-space-size=1',
    // It reserves 10 GB of address space for each WebAssembly memory, and the HTTP parser has one.
    '--disable-wasm-trap-handler',
    childPath,
  ];
  const [command, ...args] = prlimitPath ? [prlimitPath, `--as=${(addressSpaceMb + memoryMb) * 1024 * 1024}`, ...node] : node;
  return spawn(command!, args, {
    // A group of its own: a signal for the worker's group is not for it, and it is killed with all it has started.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // None of the worker's environment: keys and database URLs are not for a process that reads strangers' bytes.
    env: { MALLOC_ARENA_MAX: '1', ...compileCache() },
  });
}

function compileCache(): Record<string, string> {
  const folder = getCompileCacheDir();
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}
