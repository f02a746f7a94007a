import { invalid, type ImportGitRepository } from '@bindery/contract';
import { acceptJob, gitJobs } from '@bindery/jobs';
import { GitCredential, type JobRecord, type SpaceRecord } from '@bindery/models';
import { sealSecret } from '@bindery/runtime';
import type { Actor } from '../../http/actor.ts';
import { thePlatform } from '../../platform.ts';
import { splitLogin, type Login } from '../splitLogin.ts';

/** A job can be retried for as long as its login is kept. */
const credentialDays = 7;

/**
 * Accepts the import of a repository. A login in the URL is cut off here, sealed, and stored beside the job: what the job, the queue and the
 * logs get to see is the URL without it.
 *
 * @throws ApiError invalid_request when the URL shows by itself that it is refused
 */
export async function importGitRepository({
  space,
  actor,
  body,
  traceparent,
}: {
  space: SpaceRecord;
  actor: Actor;
  body: ImportGitRepository;
  traceparent: string;
}): Promise<JobRecord> {
  const { url, login } = splitUrl(body.url);
  const { config } = thePlatform();
  return acceptJob(gitJobs.importRepository, {
    organization: space.organization,
    subject: { type: 'space', id: space._id },
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
      ...(body.repoCacheID && { repoCacheId: body.repoCacheID }),
      ...(body.repoTreeURL && { repoTreeUrl: body.repoTreeURL }),
      ...(body.repoCommitURL && { repoCommitUrl: body.repoCommitURL }),
      ...(body.timestamp && { timestamp: noLaterThanNow(body.timestamp) }),
      ...(body.gitInfo && { gitInfo: body.gitInfo }),
    },
    ...(login && {
      also: async (session, jobId) => {
        await GitCredential.create(
          [
            {
              _id: jobId,
              space: space._id,
              sealed: sealSecret(config.secrets, JSON.stringify(login), `git-credential:${jobId}`),
              expireAt: new Date(Date.now() + credentialDays * 86_400_000),
            },
          ],
          { session },
        );
      },
    }),
  });
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
