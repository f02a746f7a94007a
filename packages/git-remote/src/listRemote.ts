import { JobError } from '@bindery/contract/jobErrors';

import type { RefChoice } from './checkedAnswer.ts';
import { discover, type Discovery, type ListedRef, type RefList } from './discover.ts';
import type { GitHttp } from './gitHttp.ts';
import { findPushTarget } from './refs.ts';

export type RemoteBranch = { ref: string; oid: string };
/** `oid` is the tagged object, usually a commit; `tagOid` the tag object of an annotated tag. */
export type RemoteTag = RemoteBranch & { tagOid?: string };

export type RemoteRefs = {
  /** The branch that HEAD names; absent in an empty repository, and when HEAD names a commit. */
  defaultBranch?: RemoteBranch;
  branches: RemoteBranch[];
  tags: RemoteTag[];
  /** Whether the repository has more than were read. */
  isTruncated: { branches: boolean; tags: boolean };
};

/**
 * Lists the branches and tags of a repository, up to `maxRefs` of each, in the order of the server. Skips
 * names that have white space or control characters, or are not UTF-8.
 *
 * In version 2 of the protocol the server sends nothing else; a list in version 1 is read up to 5 MB.
 *
 * @throws JobError auth, not_found, bad_content, and network errors
 */
export async function listRemote(http: GitHttp, maxRefs: number): Promise<RemoteRefs> {
  const first = {
    branches: firstOf('refs/heads/', { maxRefs, whenFull: 'skip' }),
    tags: firstOf('refs/tags/', { maxRefs, whenFull: 'skip' }),
  };
  const discovery = await discover(http, {
    service: 'git-upload-pack',
    version: 2,
    choose: (name) => {
      if (name === 'HEAD') return 'keep';
      return name.startsWith('refs/heads/') ? first.branches.choose(name) : first.tags.choose(name);
    },
  });
  if (discovery.version === 2) return listInSecondVersion(discovery, maxRefs);
  const { refs, isComplete } = discovery;
  return {
    ...branchOfHead(refs),
    branches: branchesOf(refs),
    tags: tagsOf(refs),
    isTruncated: {
      branches: !isComplete || first.branches.isTruncated(),
      tags: !isComplete || first.tags.isTruncated(),
    },
  };
}

async function listInSecondVersion({ listRefs }: Discovery, maxRefs: number): Promise<RemoteRefs> {
  const list = async (namespace: string): Promise<RefList> =>
    listRefs(namespace, firstOf(namespace, { maxRefs, whenFull: 'stop' }).choose);
  const [head, branches, tags] = await Promise.all([
    listRefs('HEAD', (name) => (name === 'HEAD' ? 'keep' : 'skip')),
    list('refs/heads/'),
    list('refs/tags/'),
  ]);
  return {
    ...branchOfHead(head.refs),
    branches: branchesOf(branches.refs),
    tags: tagsOf(tags.refs),
    isTruncated: { branches: !branches.isComplete, tags: !tags.isComplete },
  };
}

/**
 * Asks whether the server lets these credentials begin a push. It may still refuse one, for instance to a
 * protected branch.
 *
 * @throws JobError for an answer that is neither yes nor no
 */
export async function mayPush(http: GitHttp): Promise<boolean> {
  try {
    await findPushTarget(http, 'HEAD');
    return true;
  } catch (error) {
    if (error instanceof JobError && error.class !== 'transient' && refusals.has(error.code)) return false;
    throw error;
  }
}

/** A server that serves no pushes at all is not found, or answers with something else. */
const refusals = new Set(['auth', 'not_found', 'bad_content']);

const readableName = /^[^\s\p{Cc}\ufffd]+$/u;

/** Chooses the first refs of a namespace, with the lines of version 1 that tell what their tags are of. */
function firstOf(
  namespace: string,
  { maxRefs, whenFull }: { maxRefs: number; whenFull: 'skip' | 'stop' },
): { choose: RefChoice; isTruncated(): boolean } {
  const unpeeled = new Set<string>();
  let count = 0;
  let isTruncated = false;
  return {
    choose: (name) => {
      if (!name.startsWith(namespace) || !readableName.test(name)) return 'skip';
      if (name.endsWith('^{}')) return unpeeled.delete(name.slice(0, -'^{}'.length)) ? 'keep' : 'skip';
      if (count === maxRefs) {
        isTruncated = true;
        return whenFull;
      }
      count += 1;
      unpeeled.add(name);
      return 'keep';
    },
    isTruncated: () => isTruncated,
  };
}

function branchOfHead(refs: readonly ListedRef[]): Pick<RemoteRefs, 'defaultBranch'> {
  for (const { ref, oid, target } of refs)
    if (ref === 'HEAD' && target?.startsWith('refs/heads/') && readableName.test(target))
      return { defaultBranch: { ref: target, oid } };
  return {};
}

function branchesOf(refs: readonly ListedRef[]): RemoteBranch[] {
  return refs.filter(({ ref }) => ref.startsWith('refs/heads/')).map(({ ref, oid }) => ({ ref, oid }));
}

function tagsOf(refs: readonly ListedRef[]): RemoteTag[] {
  return refs
    .filter(({ ref }) => ref.startsWith('refs/tags/'))
    .map(({ ref, oid, peeled }) => (peeled === undefined ? { ref, oid } : { ref, oid: peeled, tagOid: oid }));
}
