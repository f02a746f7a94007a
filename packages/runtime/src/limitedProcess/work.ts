import type { ChildProcess, SpawnOptions } from 'node:child_process';

/**
 * A type of work: its request, its events, the functions it may call, and its result. All values are
 * structured data.
 */
export type LimitedWork = {
  request: unknown;
  event: unknown;
  /** Functions by name; each takes at most one argument and returns a promise. */
  asks: object;
  result: unknown;
};

/** The works of one kind of process, by name. */
export type LimitedWorks = Record<string, LimitedWork>;

type Ask = (argument: never) => Promise<unknown>;

/** A work's access to the process that requested it. */
export type WorkContext<Work extends LimitedWork> = {
  tell(event: Work['event']): void;
  /**
   * Calls a function of the process that started this one. If the call fails there, this process is ended.
   */
  ask<Name extends keyof Work['asks'] & string>(
    name: Name,
    ...argument: Work['asks'][Name] extends Ask ? Parameters<Work['asks'][Name]> : never
  ): Work['asks'][Name] extends Ask ? ReturnType<Work['asks'][Name]> : never;
  /**
   * Starts a program in a process group of its own, which is killed completely when this process ends for any
   * reason. The program runs only after the worker has recorded the group. It inherits no environment and no
   * open file except those in `options`.
   */
  startGroup(command: string, args: readonly string[], options?: GroupOptions): Promise<ChildProcess>;
};

export type GroupOptions = Pick<SpawnOptions, 'cwd' | 'env'> & {
  /** As for `spawn`; at most 9. Default: none. */
  stdio?: readonly ('ignore' | 'pipe')[];
};

/** Does one work in its own process. */
export type WorkHandler<Work extends LimitedWork> = (
  request: Work['request'],
  context: WorkContext<Work>,
) => Promise<Work['result']>;
