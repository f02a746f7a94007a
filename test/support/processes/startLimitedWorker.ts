import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { identityOf, type ProcessIdentity } from '@bindery/runtime';
import { allChildrenOf } from './appProcess.ts';
import type { HostileWork, RunOptions, WorkerCommand, WorkerMessage } from './hostileWork.ts';
import { commandOf, numbersOf, processIds } from './procfs.ts';

export type StartedRun = {
  /** The first event of the child. */
  event: Promise<unknown>;
  /** Settles like the run; a failure has the error's fields. */
  ended: Promise<{ result: unknown; most: number } | { failure: Record<string, unknown> }>;
  abort(): void;
};

export type LimitedWorker = {
  pid: number;
  isolation: 'own-user' | 'same-user';
  /** The number of groups of earlier workers found at the start. */
  reaped: number;
  run<Name extends keyof HostileWork>(
    work: Name,
    request: HostileWork[Name]['request'],
    options?: RunOptions,
  ): StartedRun;
  /** The process numbers of its children that run this script, such as `hostileChild` or `reaper`. */
  children(script: string): number[];
  kill(signal: NodeJS.Signals): void;
  close(): void;
  ended: Promise<unknown>;
};

/** @param within  a command that executes the one after it, such as setpriv */
export async function startLimitedWorker(
  environment: Record<string, string>,
  within: readonly string[] = [],
): Promise<LimitedWorker> {
  const [command, ...args] = [
    ...within,
    process.execPath,
    new URL('limitedWorker.ts', import.meta.url).pathname,
  ];
  const worker = spawn(command, args, {
    env: { PATH: process.env.PATH, SECRET_KEY: 'the-sealing-key', ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    serialization: 'json',
  });
  const runs = new Map<
    number,
    { told: PromiseWithResolvers<unknown>; ended: PromiseWithResolvers<Awaited<StartedRun['ended']>> }
  >();
  const ready = Promise.withResolvers<Extract<WorkerMessage, { ready: true }>>();
  worker.on('message', (message: WorkerMessage) => {
    if ('ready' in message) return ready.resolve(message);
    const run = runs.get(message.id);
    if (message.kind === 'event') run?.told.resolve(message.event);
    else
      run?.ended.resolve(
        message.kind === 'done'
          ? { result: message.result, most: message.most }
          : { failure: message.failure },
      );
  });
  const ended = once(worker, 'exit');
  void ended.then(() => ready.reject(new Error('The worker ended before it was ready.')));
  const tell = (message: WorkerCommand) => worker.send(message);
  const { isolation, reaped } = await ready.promise;
  const pid = worker.pid!;
  return {
    pid,
    isolation,
    reaped,
    run: (work, request, options = {}) => {
      const id = runs.size;
      const [told, end] = [
        Promise.withResolvers<unknown>(),
        Promise.withResolvers<Awaited<StartedRun['ended']>>(),
      ];
      runs.set(id, { told, ended: end });
      tell({ kind: 'run', id, work, request, options });
      return { event: told.promise, ended: end.promise, abort: () => tell({ kind: 'abort', id }) };
    },
    children: (script) =>
      allChildrenOf(pid).flatMap((child) => (commandOf(child.pid).includes(script) ? [child.pid] : [])),
    kill: (signal) => worker.kill(signal),
    close: () => tell({ kind: 'close' }),
    ended,
  };
}

/** Lists the running processes of a group. */
export function membersOf(group: number): ProcessIdentity[] {
  return processIds().flatMap((pid) => {
    const numbers = numbersOf(pid);
    return numbers?.group === group && numbers.state !== 'Z' ? [identityOf(pid)] : [];
  });
}
