import {
  type ContentOfRevision,
  insertRevision,
  loadRevision,
  newRevision,
  prepareMergedRevision,
} from '@bindery/content';
import { Revision, type ClientSession, type RevisionGitRecord, type RevisionRecord } from '@bindery/models';
import type { CommitTrees } from '../../child/repositoryExport.ts';
import type { Exporting } from './exporting.ts';
import { findSpace } from '../findSpace.ts';
import { publishSync } from '../publishSync.ts';
import { revisionGit } from '../revisionGit.ts';
import { locationsFor, placeContent, type PlacedContent } from '../syncedContent.ts';
import type { Noted } from './writeBranch.ts';

/** The data of an export's last write. */
export type Sync = {
  commit: string;
  folder?: string;
  /** The trees of the commit, to be kept. */
  trees?: CommitTrees | undefined;
  git: RevisionGitRecord;
  /** The exported content with its places in the commit. */
  synced: RevisionRecord;
  /** The revision that the space showed during the preparation. */
  current: string;
  /** The revision that the space shows next, if it is a new one. */
  shown?: RevisionRecord;
};

/**
 * Prepares the revision that is in sync with the branch. If the space was changed during the export, its
 * present content gets the places too, by which a later import recognizes its pages.
 */
export async function prepareSync(
  exporting: Exporting,
  { placed, ...place }: Noted & Pick<Sync, 'commit' | 'trees'>,
): Promise<Sync> {
  const { commit } = place;
  const { input, run, space, exported, merge } = exporting;
  const createdBy = run.job.startedBy;
  const git = revisionGit(input, { oid: commit, message: input.commitMessage, createdByDocs: true });
  const content = merge?.merged ?? exported;
  const synced = changed(content, placed, { parents: [exported._id], createdBy, git });
  const now = await findSpace(space._id);
  if (now.revision === exported._id) return { ...place, git, synced, current: exported._id, shown: synced };
  const current = await loadRevision(space._id, now.revision);
  // A revision imported since then has newer places.
  if (current.git) return { ...place, git, synced, current: current._id };
  if (merge) {
    // The changes of the branch, in what the space has become: a later edit in the space wins.
    const { revision: shown } = await prepareMergedRevision(
      { base: exported, ours: synced, theirs: current },
      { type: 'merge', parents: [current._id, synced._id], createdBy, format: current.format },
      { limits: { entries: 0, characters: 0 } },
    );
    return { ...place, git, synced, current: current._id, shown };
  }
  const locations = await locationsFor(current, { exported, placed });
  return {
    ...place,
    git,
    synced,
    current: current._id,
    shown: changed(current, await placeContent(current, locations), { parents: [current._id], createdBy }),
  };
}

function changed(
  { organization, space, format, variables, redirects }: ContentOfRevision,
  placed: PlacedContent,
  own: { parents: string[]; createdBy: string; git?: RevisionGitRecord },
): RevisionRecord {
  return newRevision({ organization, space, type: 'edits', format, ...own, ...placed, variables, redirects });
}

/** Publishes the sync of an export, in the transaction that ends the job. */
export async function publishExport(
  session: ClientSession,
  { input, space, exported, pointId, point }: Exporting,
  sync: Sync | undefined,
): Promise<void> {
  if (!sync) return publishSync({ session, input, space, from: exported._id });
  const { synced, shown, current, commit, folder, trees, git } = sync;
  await insertRevision(synced, session);
  if (shown && shown !== synced) await insertRevision(shown, session);
  // A client that waits for this revision to reach git reads this one, not its successor.
  await Revision.updateOne({ _id: exported._id, git: { $exists: false } }, { $set: { git } }, { session });
  await publishSync({
    session,
    // The branch has the commit, so the sync must be recorded regardless of newer events.
    input: { ...input, force: true },
    space,
    from: current,
    to: shown,
    point: { _id: pointId, commit, revision: synced._id, folder, trees, before: point },
  });
}
