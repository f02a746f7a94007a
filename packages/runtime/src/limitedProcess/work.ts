import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** What a process can be asked for: the request, what it tells meanwhile, what it may ask, and the result. All of it is structured data. */
export type LimitedWork = {
  request: unknown;
  event: unknown;
  /** Functions by name; each takes one argument at most and returns a promise. */
  asks: object;
  result: unknown;
};

/** The works of one kind of process, by name. */
export type LimitedWorks = Record<string, LimitedWork>;

type Ask = (argument: never) => Promise<unknown>;

/** What a work has to do with the process that asked for it. */
export type WorkContext<Work extends LimitedWork> = {
  tell(event: Work['event']): void;
  /** Asks the process that started this one. An ask that fails there ends this process. */
  ask<Name extends keyof Work['asks'] & string>(
    name: Name,
    ...argument: Work['asks'][Name] extends Ask ? Parameters<Work['asks'][Name]> : never
  ): Work['asks'][Name] extends Ask ? ReturnType<Work['asks'][Name]> : never;
  /**
   * Starts a program in a process group of its own, which is killed with all that is in it when this process ends, however that comes about.
   * It runs only after the worker has noted the group. No environment and no open file is handed on unless `options` say so.
   */
  startGroup(command: string, args: readonly string[], options?: GroupOptions): Promise<ChildProcess>;
};

export type GroupOptions = Pick<SpawnOptions, 'cwd' | 'env'> & {
  /** As for `spawn`; at most 9. Default: nothing. */
  stdio?: readonly ('ignore' | 'pipe')[];
};

/** Does one work in the process that was started for it. */
export type WorkHandler<Work extends LimitedWork> = (request: Work['request'], context: WorkContext<Work>) => Promise<Work['result']>;
