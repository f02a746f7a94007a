import type { LimitedRun } from '@bindery/runtime';

/** The works of `hostileChild.ts`, for tests of a worker and its children. */
export type HostileWork = {
  look: { request: { worker: number; others: string[] }; event: Sight; asks: object; result: string };
  ask: {
    request: string;
    event: string;
    asks: Record<string, (argument: unknown) => Promise<unknown>>;
    result: unknown;
  };
  end: {
    request: 'hang' | 'wait' | 'memory' | 'die' | 'exit' | 'close' | 'nested' | 'disk' | 'bug' | 'throttled';
    event: string;
    asks: object;
    result: string;
  };
  group: { request: 'return' | 'hang' | 'wait'; event: Started; asks: object; result: string };
  /** Writes to its channel: raw bytes, or a message. */
  say: { request: { message: unknown } | { bytes: number[] }; event: unknown; asks: object; result: string };
  flood: { request: { events: number; bytes: number }; event: Uint8Array; asks: object; result: string };
  swarm: { request: number; event: string; asks: object; result: string[] };
  files: {
    request: { own: string; lent: string; leave: 'file' | 'link' | 'depth' };
    event: string;
    asks: object;
    result: Record<string, string>;
  };
};

/** A child's view of its surroundings; forbidden accesses are shown by the error's code. */
export type Sight = {
  pid: number;
  environment: Record<string, string>;
  workingDirectory: string;
  umask: number;
  user: number[];
  groups: number[];
  workerEnvironment: string;
  others: string[];
  signalToWorker: string;
};

export type Started = { child: number; group?: number; escaped?: number };

/** The options of a run, as a message. */
export type RunOptions = {
  asks?: Record<string, unknown>;
  failingAsk?: string;
  quietMs?: number;
  /** How long the handling of each event takes. Default: no time. */
  eventMs?: number;
  folder?: NonNullable<LimitedRun<never>['folder']>;
};

export type WorkerCommand =
  | { kind: 'run'; id: number; work: keyof HostileWork; request: unknown; options: RunOptions }
  | { kind: 'abort'; id: number }
  | { kind: 'close' };

export type WorkerMessage =
  | { ready: true; isolation: 'own-user' | 'same-user'; reaped: number }
  | { kind: 'event'; id: number; event: unknown }
  /** `most`: the largest number of events handled at once. */
  | { kind: 'done'; id: number; result: unknown; most: number }
  | { kind: 'failed'; id: number; failure: Record<string, unknown> };
