import { JobError } from '@bindery/contract/jobErrors';
import type { GitHttp, RemoteRef } from '@bindery/git-remote';
import type { ObjectStore } from '../objects/objectStore.ts';
import { readPack } from '../objects/packReader.ts';
import { fetchHistory, type HistoryFilter } from '../wire/uploadPack.ts';
import { historyLimits } from './historyLimits.ts';
import { HistoryEnd } from './pageDifferences.ts';

/** A branch of a remote, at the commit whose history is read. */
export type Branch = { http: GitHttp; ref: RemoteRef };

/**
 * Fetches the last commits of a branch into a store. Leaves out commits beyond a limit: the newest ones
 * come first in a pack.
 *
 * @throws JobError as a fetch does; http_status when the server does not know the filter
 */
export async function fetchCommits(
  { http, ref }: Branch,
  store: ObjectStore,
  { depth, filter }: { depth: number; filter: HistoryFilter },
): Promise<void> {
  const until = performance.now() + historyLimits.fetchMs;
  const pack = fetchHistory(http, ref.capabilities, { oid: ref.tagOid ?? ref.oid, depth, filter });
  try {
    await readPack(pack, store, {
      maxObjects: Infinity,
      onObject: (done) => {
        if (done > historyLimits.objects || performance.now() > until) throw new HistoryEnd();
      },
    });
  } catch (error) {
    if (!isLimit(error)) throw error;
  }
}

function isLimit(error: unknown): boolean {
  if (error instanceof HistoryEnd) return true;
  return error instanceof JobError && ['limit', 'too_large', 'timeout'].includes(error.code);
}
