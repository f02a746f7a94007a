import {
  createSpool,
  gatherContent,
  packContent,
  readWiki,
  type PackedContent,
} from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { findRef, GitHttp, type RemoteRef } from '@bindery/git-remote';
import { createOutbound, type OutboundSettings } from '@bindery/outbound';
import { readCommit } from '../git/objects/commit.ts';
import { CommitObjects } from '../git/objects/commitObjects.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import { ObjectStore } from '../git/objects/objectStore.ts';
import { listTree } from '../git/objects/tree.ts';
import { wikiRepository } from './wikiRepository.ts';

export type WikiRequest = {
  url: string;
  outbound: OutboundSettings;
  limits: GitLimits;
  /** Paths of the files that it creates: the fetched objects, and the spool with the results. */
  objects: string;
  spool: string;
};

export type WikiEvent =
  | { kind: 'stage'; stage: 'fetch' | 'read'; done?: number; total?: number }
  | { kind: 'warning'; message: string; path?: string };

/** The works of the process that reads a wiki. */
export type WikiWork = {
  gather: { request: WikiRequest; event: WikiEvent; asks: object; result: PackedContent };
};

const MiB = 1024 * 1024;

/** The limits of the other archive imports. */
const wikiLimits = {
  maxEntries: 2_000,
  maxFileBytes: 10 * MiB,
  maxTotalBytes: 200 * MiB,
} satisfies Partial<GitLimits>;

/** The usual branches of wikis. */
const branches = ['refs/heads/master', 'refs/heads/main'];

/**
 * Reads a wiki into pages and files in the spool. Runs in a process of its own (`wikiChild.ts`), because
 * everything it reads is untrusted.
 *
 * @throws JobError
 */
export async function gatherWiki(
  request: WikiRequest,
  tell: (event: WikiEvent) => void,
): Promise<PackedContent> {
  try {
    return await read(request, tell);
  } catch (error) {
    // A user waits for the import, so a server that asks for an hour is not waited for.
    if (error instanceof JobError && error.code === 'throttled')
      throw new JobError(error.code, error.message, {
        class: 'transient',
        action: 'Try again later.',
        cause: error,
      });
    throw error;
  }
}

async function read(request: WikiRequest, tell: (event: WikiEvent) => void): Promise<PackedContent> {
  tell({ kind: 'stage', stage: 'fetch' });
  const { repository, wiki } = wikiRepository(new URL(request.url));
  const limits = { ...request.limits, ...wikiLimits };
  const http = new GitHttp(createOutbound(request.outbound), {
    url: repository.href,
    login: undefined,
    limits,
  });
  const ref = await findBranch(http);
  const store = new ObjectStore(request.objects, limits.maxTotalBytes);
  const objects = new CommitObjects({
    http,
    ref,
    store,
    limits,
    onProgress: (done, total) => tell({ kind: 'stage', stage: 'fetch', done, total }),
  });
  await objects.fetchTrees();
  const { treeOid } = readCommit(store, ref.oid);
  const { files, skipped } = listTree(store, { treeOid, directory: '', maxEntries: limits.maxEntries });
  await objects.fetchBlobs([...files.values()].map(({ oid }) => oid));

  tell({ kind: 'stage', stage: 'read' });
  let failed = 0;
  const skip = (message: string, path: string) => {
    failed += 1;
    tell({ kind: 'warning', message, path });
  };
  for (const { path, message } of skipped) skip(message, path);
  const contents = new Map<string, Uint8Array>();
  for (const { path, oid } of files.values()) {
    const object = store.find(oid);
    if (!object) throw new JobError('bad_content', 'The server left out a part of the wiki.');
    if (object.size > limits.maxFileBytes)
      skip(`The file is larger than ${limits.maxFileBytes / MiB} MB.`, path);
    else if (/\.(?:mediawiki|wiki|rst|rest|textile|org|pod|asciidoc|adoc|creole)$/i.test(path))
      skip('Only pages in Markdown are imported.', path);
    else contents.set(path, store.read(object, 0, object.size));
  }
  const spool = createSpool(request.spool);
  try {
    return packContent(await gatherContent({ ...readWiki(contents, { url: wiki }), failed }, spool));
  } finally {
    spool.close();
  }
}

async function findBranch(http: GitHttp): Promise<RemoteRef> {
  for (const branch of branches) {
    try {
      return await findRef(http, branch);
    } catch (error) {
      if (!(error instanceof JobError && error.code === 'not_found' && branch !== branches.at(-1)))
        throw error;
    }
  }
  throw new JobError('not_found', 'The wiki has no pages yet.');
}
