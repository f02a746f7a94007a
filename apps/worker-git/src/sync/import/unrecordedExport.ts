import type { UnrecordedPush } from '../../child/unrecordedPush.ts';
import { findUnrecordedPush } from '../export/pushCheckpoint.ts';
import { findPushedMerge, type PushedMerge } from '../export/pushedMerge.ts';
import type { Importing } from './importing.ts';

/**
 * Finds out whether an export of the space made a commit, but ended before recording it. Such a commit counts
 * as last in sync. That of a merge also has changes of the branch, which the space has to get from it.
 */
export async function findUnrecordedExport(
  importing: Importing,
  commit: UnrecordedPush,
): Promise<{ merge?: PushedMerge } | undefined> {
  const { input, space, current } = importing;
  if (input.force || input.standalone) return undefined;
  const push = await findUnrecordedPush(commit, importing);
  // Not if the space has synced with another remote since: its content is then not newer than the branch.
  if (push) return push.syncedWith === space.syncedWith ? {} : undefined;
  const merge = current.git ? undefined : await findPushedMerge(commit, importing);
  return merge && { merge };
}
