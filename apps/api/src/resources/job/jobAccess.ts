import { notFound, type ApiError } from '@bindery/contract';
import { findSessionsInForce, findTokensInForce, jobCollection } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { unauthorized } from '../../http/authentication.ts';
import { permissionsOnSubjects, subjectFields } from './permissionsOnSubjects.ts';

/** A caller who follows a job; `job` is its id. */
export type Follower = { actor: Actor; job: string; organization: string };

/**
 * Finds the error that each follower would get for the job now; undefined for followers who may still view
 * it. All followers share the queries.
 *
 * @returns in the order of `followers`
 */
export async function findRefusals(followers: readonly Follower[]): Promise<(ApiError | undefined)[]> {
  const ids = [...new Set(followers.map(({ job }) => job))];
  const [tokens, sessions, found] = await Promise.all([
    findTokensInForce([...new Set(followers.map(({ actor }) => actor.tokenId))]),
    findSessionsInForce([...new Set(followers.flatMap(({ actor }) => actor.session ?? []))]),
    jobCollection()
      .find({ _id: { $in: ids } }, { projection: subjectFields })
      .toArray(),
  ]);
  const jobs = new Map(found.map((job) => [job._id, job]));
  const there = followers.flatMap((follower) => {
    const job = jobs.get(follower.job);
    return job ? [{ ...follower, job, follower }] : [];
  });
  const granted = await permissionsOnSubjects(there);
  const seeing = new Set(there.filter((_, index) => granted[index]).map(({ follower }) => follower));
  return followers.map((follower) => {
    const { tokenId, session } = follower.actor;
    const isSignedIn = session === undefined || sessions.has(session);
    // A session that started with a token ends with the token too.
    if (!isSignedIn || !(tokenId === session || tokens.has(tokenId))) return unauthorized();
    return seeing.has(follower) ? undefined : notFound('job', follower.job);
  });
}
