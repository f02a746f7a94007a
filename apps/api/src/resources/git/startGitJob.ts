import { invalid, notFound, type ExportToGitRepository, type ImportGitRepository } from '@bindery/contract';
import { acceptJob, gitJobs, replacedImports } from '@bindery/jobs';
import { GitCredential, gitSyncOf, Space, type ClientSession, type GitSyncRecord, type JobRecord, type SpaceRecord } from '@bindery/models';
import { sealSecret } from '@bindery/runtime';
import type { Actor } from '../../http/actor.ts';
import { thePlatform } from '../../platform.ts';
import { splitLogin, type Login } from '../../input/splitLogin.ts';

/** A job can be retried for as long as its login is kept. */
const credentialDays = 7;

type Starting<Body> = { space: SpaceRecord; actor: Actor; body: Body; dryRun: boolean; traceparent: string };

/**
 * Accepts the import of a repository. A login in the URL is cut off here, sealed, and stored beside the job: what the job, the queue and the
 * logs get to see is the URL without it.
 *
 * It takes the place of imports that wait and that it makes needless.
 *
 * @throws ApiError invalid_request when the URL shows by itself that it is refused
 */
export function startGitImport(starting: Starting<ImportGitRepository>): Promise<JobRecord> {
  const { input, ...request } = requestOf(starting);
  return acceptJob(gitJobs.importRepository, { ...request, input, supersedes: (waiting) => replacedImports(input, waiting) });
}

/** The same for an export. */
export function startGitExport(starting: Starting<ExportToGitRepository>): Promise<JobRecord> {
  const { input, ...request } = requestOf(starting);
  return acceptJob(gitJobs.exportRepository, { ...request, input: { ...input, commitMessage: starting.body.commitMessage } });
}

function requestOf({ space, actor, body, dryRun, traceparent }: Starting<ImportGitRepository | ExportToGitRepository>) {
  const { url, login } = splitUrl(body.url);
  const isSync = !dryRun && !body.standalone;
  const gitInfo = isSync ? body.gitInfo : undefined;
  return {
    organization: space.organization,
    subject: { type: 'space' as const, id: space._id },
    startedBy: actor.user.id,
    permission: 'space.triggerGitSync',
    traceparent,
    input: {
      spaceId: space._id,
      url,
      hasLogin: login !== undefined,
      ref: body.ref,
      projectDirectory: body.repoProjectDirectory ?? '',
      force: body.force ?? false,
      standalone: body.standalone ?? false,
      dryRun,
      ...(body.repoCacheID && { repoCacheId: body.repoCacheID }),
      ...(body.repoTreeURL && { repoTreeUrl: body.repoTreeURL }),
      ...(body.repoCommitURL && { repoCommitUrl: body.repoCommitURL }),
      ...(body.timestamp && { timestamp: noLaterThanNow(body.timestamp) }),
      ...(body.gitInfo && { gitInfo: body.gitInfo }),
    },
    also: async (session: ClientSession, jobId: string) => {
      await holdSpace(space, gitInfo && gitSyncOf(gitInfo, url), session);
      if (login) await keepLogin(login, { jobId, space: space._id, session });
    },
  };
}

async function keepLogin(login: Login, { jobId, space, session }: { jobId: string; space: string; session: ClientSession }): Promise<void> {
  const sealed = sealSecret(thePlatform().config.secrets, JSON.stringify(login), `git-credential:${jobId}`);
  const expireAt = new Date(Date.now() + credentialDays * 86_400_000);
  await GitCredential.create([{ _id: jobId, space, sealed, expireAt }], { session });
}

/**
 * Keeps the space in its organization until the job is accepted: a transfer removes the logins that it finds, and has to find this one.
 *
 * @param gitSync  shows from now on: a first sync shows while it runs, and when it fails it shows why
 * @throws not_found when it was transferred or deleted meanwhile
 */
async function holdSpace({ _id, organization }: SpaceRecord, gitSync: GitSyncRecord | undefined, session: ClientSession): Promise<void> {
  const held = { $inc: { treeVersion: 1 }, ...(gitSync && { $set: { gitSync } }) };
  const { matchedCount } = await Space.updateOne({ _id, organization, isDeleted: false }, held, { session });
  if (matchedCount === 0) throw notFound('space', _id);
}

/** The event has happened: a clock that is ahead must not shut out the events that follow until ours has caught up. */
function noLaterThanNow(timestamp: string): string {
  return Date.parse(timestamp) > Date.now() ? new Date().toISOString() : timestamp;
}

function splitUrl(text: string): { url: string; login?: Login } {
  const { url, login } = splitLogin(text, 'body.url');
  // It would not reach the server, and whatever it holds would be stored as it is.
  if (url.search)
    throw invalid('body.url', 'must not have a query; a login stands before the host, as in https://user:token@host/repository.git.');
  return { url: url.href, ...(login && { login }) };
}
