import { JobError } from '@bindery/contract/jobErrors';

import { type RefChoice, tooManyRefs } from './checkedAnswer.ts';
import { discover, type ListedRef } from './discover.ts';
import type { GitHttp } from './gitHttp.ts';

/**
 * The commit of a ref, and the server's capabilities. `tagOid` is the annotated tag that names the commit. A
 * fetch asks for the tag, because servers need not send objects that they do not list.
 */
export type RemoteRef = { oid: string; tagOid?: string; capabilities: ReadonlySet<string> };

const allowedRef = /^refs\/((heads|tags)\/[^\s\p{Cc}]+|pull\/\d+\/(head|merge)|merge-requests\/\d+\/head)$/u;

/**
 * Asks the server for the commit of a ref.
 *
 * One request in version 1 of the protocol is enough for nearly every repository; version 2 takes two. If the
 * list of version 1 exceeds 5 MB and the ref is not near the beginning (tens of thousands of pull requests),
 * this one ref is requested in version 2.
 *
 * @throws JobError not_found when the ref does not exist; auth, bad_content, and network errors
 */
export async function findRef(http: GitHttp, ref: string): Promise<RemoteRef> {
  const { oid, ...found } = await findRefIfAny(http, ref);
  if (!oid) {
    const name = ref.startsWith('refs/heads/') ? `Branch ${ref}` : `The ref ${ref}`;
    throw new JobError('not_found', `${name} does not exist in the repository; check \`ref\`.`);
  }
  return { oid, ...found };
}

/** The same for a ref that may be missing: then without an oid. An empty repository has no refs at all. */
export async function findRefIfAny(
  http: GitHttp,
  ref: string,
): Promise<Partial<RemoteRef> & Pick<RemoteRef, 'capabilities'>> {
  if (!allowedRef.test(ref))
    throw new JobError('not_found', 'The ref is neither a branch, a tag nor a pull request; check `ref`.');
  const choose: RefChoice = (name) => (name === ref || name === `${ref}^{}` ? 'keep' : 'skip');
  const named = ({ ref: name }: ListedRef) => name === ref;
  const first = await discover(http, { service: 'git-upload-pack', version: 1, choose });
  const listed = first.refs.find(named);
  if (first.version === 1 && (listed || first.isComplete))
    return { ...oidsOf(listed), capabilities: first.capabilities };

  const second =
    first.version === 2
      ? first
      : await discover(http, { service: 'git-upload-pack', version: 2, choose: () => 'stop' });
  // The list of refs again: this server does not support version 2.
  if (second.version === 1) throw tooManyRefs();
  const { refs, isComplete } = await second.listRefs(ref, choose);
  const found = refs.find(named);
  if (!found && !isComplete) throw tooManyRefs();
  return { ...oidsOf(found), capabilities: second.capabilities };
}

function oidsOf(found: ListedRef | undefined): Pick<Partial<RemoteRef>, 'oid' | 'tagOid'> {
  if (!found) return {};
  return found.peeled === undefined ? { oid: found.oid } : { oid: found.peeled, tagOid: found.oid };
}

/**
 * Reads the server's capabilities for pushes, and the commit of a branch: undefined if the server's list,
 * which is read up to 5 MB, does not name it.
 *
 * @throws JobError auth, bad_content, network errors
 */
export async function findPushTarget(
  http: GitHttp,
  ref: string,
): Promise<{ oid?: string; capabilities: ReadonlySet<string> }> {
  const { capabilities, refs } = await discover(http, {
    service: 'git-receive-pack',
    version: 1,
    choose: (name) => (name === ref ? 'keep' : 'skip'),
  });
  const oid = refs.find(({ ref: name }) => name === ref)?.oid;
  return { oid, capabilities };
}
