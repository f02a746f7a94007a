import type { SpaceRecord } from '@bindery/models';
import type { SyncPoint } from '../syncPoint.ts';
import { isOvertaken, type PushCheckpoint } from './pushCheckpoint.ts';

/**
 * The state that an earlier run of the same job left.
 *
 * - `fresh`: no run has reached its push. The job exports the present content.
 * - `resumed`: a run was about to push, and space and branch have not been in sync since. The job exports
 *   that content, and ends as that run would have.
 * - `settled`: a run was about to push, and a later sync has overtaken it. The job has nothing left to do if
 *   the branch has that commit; otherwise it exports the present content.
 */
export type Resumption = { state: 'fresh' } | { state: 'resumed' | 'settled'; checkpoint: PushCheckpoint };

export function resumeExport(
  earlier: PushCheckpoint | undefined,
  now: { space: SpaceRecord; point: SyncPoint | undefined },
): Resumption {
  if (!earlier) return { state: 'fresh' };
  return { state: isOvertaken(earlier, now) ? 'settled' : 'resumed', checkpoint: earlier };
}
