import { JobError } from '@bindery/contract/jobErrors';
import type { GitHttp, RemoteRef } from '@bindery/git-remote';

import { readCommit } from '../git/objects/commit.ts';
import { CommitObjects } from '../git/objects/commitObjects.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import { LazyBlobs } from '../git/objects/lazyBlobs.ts';
import type { ObjectStore } from '../git/objects/objectStore.ts';
import { foldersTo, listTree, type TreeListing } from '../git/objects/tree.ts';

/** A branch as read by an export. A missing branch has neither head nor files. */
export type RemoteBranch = Pick<TreeListing, 'files' | 'skipped'> & {
  /**
   * `folder` is the tree of the listed directory; absent if the directory does not exist. `trees` are the
   * oids of the root, of the directory, and of everything between and below them.
   */
  head?: { oid: string; treeOid: string; folder?: string; trees: readonly string[] };
  store: ObjectStore;
  /**
   * Reads blobs by oid, fetching them on demand; omits missing ones and those larger than the limit for a
   * page.
   */
  readBlobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
};

type Remote = {
  http: GitHttp;
  store: ObjectStore;
  limits: GitLimits;
  /** Only files below this folder are listed; it may be missing. */
  directory: string;
  onProgress(done: number, total: number): void;
};

/** Fetches the head commit of a branch, with its trees. @throws JobError as an import does */
export async function readBranch(
  { oid, capabilities }: Partial<RemoteRef> & Pick<RemoteRef, 'capabilities'>,
  remote: Remote,
): Promise<RemoteBranch> {
  const { store, limits, directory } = remote;
  if (oid === undefined) return { files: new Map(), skipped: [], store, readBlobs: async () => new Map() };
  const objects = new CommitObjects({ ...remote, ref: { oid, capabilities } });
  await objects.fetchTrees();
  const { treeOid } = readCommit(store, oid);
  const { trees, ...listing } = listIfThere(store, { treeOid, directory, maxEntries: limits.maxEntries });
  const way = trees.length > 0 ? foldersTo(store, { treeOid, directory }) : [treeOid];
  let ahead = Array.from(listing.files.values()).filter(({ path }) => isRead.test(path));
  return {
    ...listing,
    head: { oid, treeOid, folder: trees[0], trees: [...way, ...trees] },
    store,
    readBlobs: async (oids) => {
      if (oids.length === 0) return new Map();
      await objects.fetchBlobs([...oids, ...ahead.map((file) => file.oid)]);
      ahead = [];
      const blobs = oids.map((blob) => store.find(blob)!);
      return new LazyBlobs(
        store,
        blobs.filter(({ size }) => size <= limits.maxPageBytes),
      );
    },
  };
}

/**
 * Files that nearly every export reads. Fetched together, because over a network the number of requests costs
 * the time.
 */
const isRead = /(^|\/)(SUMMARY\.md|\.gitbook(\/[^/]+)?\.yaml)$/;

function listIfThere(store: ObjectStore, root: Parameters<typeof listTree>[1]): TreeListing {
  try {
    return listTree(store, root);
  } catch (error) {
    if (!(error instanceof JobError) || error.code !== 'not_found') throw error;
    return { files: new Map(), skipped: [], trees: [] };
  }
}
