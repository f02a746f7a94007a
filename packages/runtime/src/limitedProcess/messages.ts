import type { Failure } from './failure.ts';

/** What the process says to the one that started it. An `ask` and a `group` wait for the `answer` with their id. */
export type ChildMessage =
  | { kind: 'event'; event: unknown }
  | { kind: 'ask'; id: number; name: string; argument: unknown }
  | { kind: 'group'; id: number; pid: number }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: Failure };

/** What it is told: the request, then the answers. */
export type ParentMessage = { kind: 'request'; work: string; request: unknown } | { kind: 'answer'; id: number; answer?: unknown };
