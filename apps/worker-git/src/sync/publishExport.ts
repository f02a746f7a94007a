import { insertRevision, loadRevision, newRevision } from '@bindery/content';
import { Revision, type ClientSession, type RevisionGitRecord, type RevisionRecord } from '@bindery/models';
import type { Exporting } from './exporting.ts';
import { findSpace } from './findSpace.ts';
import { publishSync } from './publishSync.ts';
import { revisionGit } from './revisionGit.ts';
import { locationsFor, placeContent, type PlacedContent } from './syncedContent.ts';
import type { Noted } from './writeBranch.ts';

/** What the last write of an export brings. */
export type Sync = {
  commit: string;
  folder?: string;
  git: RevisionGitRecord;
  /** The exported content with its places in the commit. */
  synced: RevisionRecord;
  /** What the space showed when this was prepared. */
  current: string;
  /** What it shows from then on, when it is something new. */
  shown?: RevisionRecord;
};

/**
 * Makes the revision that is in sync with the branch. Where the space was changed while its content was written, what it shows now gets the
 * places too: a later import finds its pages again by them.
 */
export async function prepareSync(exporting: Exporting, { placed, ...place }: Noted & { commit: string }): Promise<Sync> {
  const { commit } = place;
  const { input, run, space, exported } = exporting;
  const git = revisionGit(input, { oid: commit, message: input.commitMessage, createdByDocs: true });
  const synced = changed(exported, placed, run.job.startedBy, git);
  const now = await findSpace(space._id);
  if (now.revision === exported._id) return { ...place, git, synced, current: exported._id, shown: synced };
  const current = await loadRevision(space._id, now.revision);
  // What has come from git since then says better where it stands.
  if (current.git) return { ...place, git, synced, current: current._id };
  const locations = await locationsFor(current, { exported, placed });
  return {
    ...place,
    git,
    synced,
    current: current._id,
    shown: changed(current, await placeContent(current, locations), run.job.startedBy),
  };
}

function changed(base: RevisionRecord, placed: PlacedContent, createdBy: string, git?: RevisionGitRecord): RevisionRecord {
  const { organization, space, variables, redirects } = base;
  const own = { type: 'edits' as const, parents: [base._id], createdBy, ...(git && { git }) };
  return newRevision({ organization, space, ...own, ...placed, variables, redirects });
}

/** Shows the sync of an export, as part of the transaction that ends the job. */
export async function publishExport(
  session: ClientSession,
  { input, space, exported, pointId }: Exporting,
  sync: Sync | undefined,
): Promise<void> {
  if (!sync) return publishSync({ session, input, space, from: exported._id });
  const { synced, shown, current, commit, folder, git } = sync;
  await insertRevision(synced, session);
  if (shown && shown !== synced) await insertRevision(shown, session);
  // Whoever waits for this revision to reach git looks at it, and not at the one that follows.
  await Revision.updateOne({ _id: exported._id, git: { $exists: false } }, { $set: { git } }, { session });
  await publishSync({
    session,
    // The branch has the commit, whatever came meanwhile.
    input: { ...input, force: true },
    space,
    from: current,
    ...(shown && { to: shown }),
    point: { _id: pointId, commit, revision: synced._id, ...(folder && { folder }) },
  });
}
