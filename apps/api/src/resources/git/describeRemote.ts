import { type GitRemote, type GitRemoteBranch, ImportRef, JobError } from '@bindery/contract';
import type { GitHttp, RemoteRefs } from '@bindery/git-remote';
import type { Outbound } from '@bindery/outbound';
import type { Login } from '../../input/splitLogin.ts';
import { splitRepositoryUrl } from './splitRepositoryUrl.ts';

const MiB = 1024 * 1024;

/** For all requests together, because somebody waits for the answer; a list in version 1 takes up to 5 MB. */
const limits = { timeoutMs: 8_000, maxPackBytes: 12 * MiB };
const maxRefs = 1_000;

/**
 * Asks a git server for the branches and tags of a repository, and for what the login in the URL may do. The
 * login is used for this alone: it is neither stored nor shown.
 *
 * That the server refuses the login is an answer, because the request asks just that; an error of the API
 * would look like one of the caller's own token.
 *
 * @throws invalid_request for a URL that is forbidden as written; JobError when there is no repository, or
 *   the server does not answer as a git server in time
 */
export async function describeRemote(text: string, outbound: Outbound): Promise<GitRemote> {
  const { url, login } = splitRepositoryUrl(text, outbound);
  // Loaded with the first request: few processes of the API ever get one.
  const { GitHttp, listRemote, mayPush } = await import('@bindery/git-remote');
  const http = new GitHttp(outbound, { url, login, limits });
  const refs = await listRemote(http, maxRefs).catch(unlessRefused);
  if (!refs) {
    return {
      ...{ login: login ? 'refused' : 'required', canRead: false, canPush: false },
      ...{ branches: [], tags: [], truncated: { branches: false, tags: false } },
    };
  }
  const canPush = await mayPush(http);
  return { login: loginOf(http, login), canRead: true, canPush, ...presentRefs(refs) };
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof JobError) || error.code !== 'auth') throw error;
}

function loginOf(http: GitHttp, login: Login | undefined): GitRemote['login'] {
  if (!login) return 'none';
  return { unasked: 'unused', sent: 'accepted', refused: 'refused' }[http.loginState] as GitRemote['login'];
}

/** Leaves out what no import accepts: names that begin with a dash, or are too long. */
function presentRefs({
  defaultBranch,
  branches,
  tags,
  isTruncated: truncated,
}: RemoteRefs): Pick<GitRemote, 'defaultBranch' | 'branches' | 'tags' | 'truncated'> {
  const isImportable = ({ ref }: { ref: string }) => ImportRef.safeParse(ref).success;
  return {
    defaultBranch: defaultBranch && isImportable(defaultBranch) ? named(defaultBranch) : undefined,
    branches: branches.filter(isImportable).map(named),
    tags: tags.filter(isImportable).map(named),
    truncated,
  };
}

function named<R extends Pick<GitRemoteBranch, 'ref' | 'oid'>>(remoteRef: R): R & { name: string } {
  return { name: remoteRef.ref.replace(/^refs\/(heads|tags)\//, ''), ...remoteRef };
}
