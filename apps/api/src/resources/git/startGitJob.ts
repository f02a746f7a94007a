import { notFound, type ExportToGitRepository, type ImportGitRepository } from '@bindery/contract';
import { acceptJob, gitJobs, replacedImports } from '@bindery/jobs';
import {
  databaseNow,
  GitCredential,
  gitCredentialContext,
  gitSyncOf,
  Space,
  type ClientSession,
  type GitSyncRecord,
  type JobRecord,
  type SpaceRecord,
} from '@bindery/models';
import { sealSecret, type SealedSecret } from '@bindery/runtime';
import type { Actor } from '../../http/actor.ts';
import type { Login } from '../../input/splitLogin.ts';
import type { Platform } from '../../platform.ts';
import { splitRepositoryUrl } from './splitRepositoryUrl.ts';

/** Logins expire after this time: until then a job can be retried. */
const credentialDays = 7;

type Starting<Body> = {
  platform: Platform;
  space: SpaceRecord;
  actor: Actor;
  body: Body;
  dryRun: boolean;
  traceparent: string;
  /** Of a URL that was stored without it. */
  login?: Login | undefined;
};

/**
 * Accepts the import of a repository. A login in the URL is sealed and stored beside the job; the job, the
 * queue and the logs get the URL without it.
 *
 * The import replaces waiting imports that it makes obsolete.
 *
 * @throws invalid_request for a URL that is forbidden as written
 */
export function startGitImport(starting: Starting<ImportGitRepository>): Promise<JobRecord> {
  const { space, body } = starting;
  const { input: remote, ...request } = requestOf(starting);
  const input = { ...remote, onConflict: body.onConflict ?? space.gitOnConflict ?? ('branch' as const) };
  return acceptJob(gitJobs.importRepository, {
    ...request,
    input,
    supersedes: (waiting) => replacedImports(input, waiting),
  });
}

/** Accepts the export to a repository; treats the URL as startGitImport does. */
export function startGitExport(starting: Starting<ExportToGitRepository>): Promise<JobRecord> {
  const { body } = starting;
  const { input, ...request } = requestOf(starting);
  return acceptJob(gitJobs.exportRepository, {
    ...request,
    input: { ...input, commitMessage: body.commitMessage, onConflict: body.onConflict ?? 'fail' },
  });
}

function requestOf({
  platform: { config, outbound },
  space,
  actor,
  body,
  dryRun,
  traceparent,
  login: storedLogin,
}: Starting<ImportGitRepository | ExportToGitRepository>) {
  const { url, login = storedLogin } = splitRepositoryUrl(body.url, outbound);
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
      repoCacheId: body.repoCacheID || undefined,
      repoTreeUrl: body.repoTreeURL,
      repoCommitUrl: body.repoCommitURL,
      timestamp: body.timestamp && noLaterThanNow(body.timestamp),
      gitInfo: body.gitInfo,
    },
    also: async (session: ClientSession, jobId: string) => {
      await holdSpace(space, gitInfo && gitSyncOf(gitInfo, url), session);
      if (login)
        await keepLogin({
          sealed: sealSecret(config.secrets, JSON.stringify(login), gitCredentialContext(jobId)),
          jobId,
          space: space._id,
          session,
        });
    },
  };
}

type SealedLogin = { sealed: SealedSecret; jobId: string; space: string; session: ClientSession };

async function keepLogin({ sealed, jobId, space, session }: SealedLogin): Promise<void> {
  const expireAt = new Date(Date.now() + credentialDays * 86_400_000);
  await GitCredential.create([{ _id: jobId, space, sealed, expireAt }], { session });
}

/**
 * Keeps the space in its organization until the transaction ends: a transfer removes the logins that exist
 * then, and must not miss one.
 *
 * @param gitSync  stored now, so that clients see a first sync while it runs, and the error if it fails
 * @throws not_found when the space has been transferred or deleted
 */
export async function holdSpace(
  { _id, organization }: SpaceRecord,
  gitSync: GitSyncRecord | undefined,
  session: ClientSession,
): Promise<void> {
  const held = { $inc: { treeVersion: 1 }, ...(gitSync && { $set: { gitSync } }) };
  const { matchedCount } = await Space.updateOne({ _id, organization, isDeleted: false }, held, { session });
  if (matchedCount === 0) throw notFound('space', _id);
}

/**
 * Caps the time of an event at now: an event of a clock that is ahead would otherwise block later ones until
 * this clock has caught up.
 */
function noLaterThanNow(timestamp: string): string {
  const now = databaseNow();
  return Date.parse(timestamp) > now.getTime() ? now.toISOString() : timestamp;
}
