import { JobError } from '@bindery/contract/jobErrors';
import type { GitHttp, RemoteRef } from '@bindery/git-remote';

import { parentsOf } from './commit.ts';
import type { ObjectStore } from './objectStore.ts';
import { readPack } from './packReader.ts';
import { fetchHistory } from '../wire/uploadPack.ts';

/** How many commits are searched: more than other users push between two attempts of a job. */
const depth = 64;
const maxObjects = 200_000;

/** Whether a commit is among the last of a branch; tells whether an unanswered push succeeded. */
export async function isInHistory(
  { http, ref, store }: { http: GitHttp; ref: RemoteRef; store: ObjectStore },
  wanted: string,
): Promise<boolean> {
  const fetch = (isFiltering: boolean) =>
    readPack(
      fetchHistory(http, ref.capabilities, {
        oid: ref.oid,
        depth,
        filter: isFiltering ? 'tree:0' : undefined,
      }),
      store,
      {
        maxObjects,
      },
    );
  const canFilter = ref.capabilities.has('filter');
  await fetch(canFilter).catch((error: unknown) => {
    // The server does not know this kind of filter.
    if (!canFilter || !(error instanceof JobError) || error.code !== 'http_status') throw error;
    return fetch(false);
  });
  const seen = new Set([ref.oid]);
  for (const oid of seen) {
    if (oid === wanted) return true;
    for (const parent of parentsOf(store, oid)) seen.add(parent);
  }
  return false;
}
