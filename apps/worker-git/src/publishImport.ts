import { JobError } from '@bindery/contract';
import { Superseded, type gitJobs, type Processor } from '@bindery/jobs';
import { requestIndexing, Space, type ClientSession, type RevisionRecord, type SpaceRecord } from '@bindery/models';

type Input = Parameters<Processor<typeof gitJobs.importRepository>>[0];

type Publishing = { session: ClientSession; input: Input; space: SpaceRecord; current: RevisionRecord; revision?: RevisionRecord };

/**
 * Makes an imported revision the content of its space, in the transaction that ends the job: only while the space still is what the
 * import started from, and only for an event that is newer than the last one applied.
 *
 * @param revision  absent when the space shows the commit already; then only the event is noted
 * @throws Superseded when a newer event was applied meanwhile; JobError transient when the content changed, so that the import starts over
 */
export async function publishImport({ session, input, space, current, revision }: Publishing): Promise<void> {
  if (input.standalone) return;
  const timestamp = input.timestamp ? new Date(input.timestamp) : undefined;
  const isOrdered = timestamp && !input.force;
  // The space shows the commit already, and the event brings nothing else.
  if (!revision && !timestamp && !input.gitInfo) return;
  const now = new Date();
  const { matchedCount } = await Space.updateOne(
    {
      _id: space._id,
      // What was prepared is readable in this organization only.
      organization: space.organization,
      deletedAt: { $exists: false },
      revision: current._id,
      ...(isOrdered && { $or: [{ lastGitTimestamp: { $exists: false } }, { lastGitTimestamp: { $lt: timestamp } }] }),
    },
    {
      $set: {
        ...(revision && { revision: revision._id, updatedAt: now }),
        ...(input.gitInfo && {
          gitSync: { provider: input.gitInfo.provider, url: input.gitInfo.url, repoName: repositoryName(input.url), updatedAt: now },
        }),
      },
      // `force` may take the space back to an older event, but never the order of later ones.
      ...(timestamp && { $max: { lastGitTimestamp: timestamp } }),
    },
    { session },
  );
  if (matchedCount === 1) {
    if (revision) await requestIndexing(space, session);
    return;
  }
  await refuse({ session, space, timestamp: isOrdered ? timestamp : undefined });
}

async function refuse({
  session,
  space,
  timestamp,
}: {
  session: ClientSession;
  space: SpaceRecord;
  timestamp: Date | undefined;
}): Promise<never> {
  const now = await Space.findById(space._id, null, { session }).lean<SpaceRecord>();
  if (!now || now.deletedAt) throw new JobError('not_found', 'The space was deleted while its repository was imported.');
  if (timestamp && now.lastGitTimestamp && now.lastGitTimestamp >= timestamp) {
    throw new Superseded('A newer event from the repository was applied to the space meanwhile.');
  }
  throw new JobError('internal', 'The content of the space changed while the repository was imported; the import starts over.', {
    class: 'transient',
  });
}

/** `owner/name` from the URL of a repository. */
function repositoryName(url: string): string {
  return new URL(url).pathname.replace(/^\/+|\/+$|\.git\/?$/g, '');
}
