import { describeContentChanges, insertRevision, loadDocuments } from '@bindery/content';
import { JobError } from '@bindery/contract';
import type { Outcome } from '@bindery/jobs';
import type { RevisionRecord } from '@bindery/models';
import {
  findBranchChangeRequest,
  saveBranchChangeRequest,
  type BranchChangeRequest,
} from './branchChangeRequest.ts';
import { logMerge } from '../logMerge.ts';
import { noChanges } from './dryRunImport.ts';
import type { Importing, ImportResult, ReadBranch } from './importing.ts';
import { mergeBranch, type MergedBranch } from '../mergeBranch.ts';
import { publishSync } from '../publishSync.ts';
import { loadContent } from '../syncedContent.ts';

/**
 * Settles an import of a branch into a space that both changed since they were last in sync: the space gets
 * the changes of both. With conflicts and the rule `change-request`, the space stays as it is, and a change
 * request gets the content of the branch.
 *
 * @param read.base  the revision last in sync
 */
export async function settleMerge(
  importing: Importing,
  { base, ...read }: ReadBranch & { base: RevisionRecord },
): Promise<Outcome<ImportResult>> {
  const { input, run, current } = importing;
  const merged = await mergeBranch(
    { base, branch: read.revision, space: current },
    { onConflict: input.onConflict, createdBy: run.job.startedBy },
  );
  logMerge(run, merged.report);
  const isForReview = merged.hasConflicts && input.onConflict === 'change-request';
  if (input.dryRun) return planned(importing, { read, merged, isForReview });
  if (!isForReview) return publishedMerge(importing, { read, merged });
  const changeRequest = await findBranchChangeRequest(importing.pointId);
  return forReview(importing, { base, read, merged, changeRequest });
}

/** The space gets the merged content; the branch stays the state last in sync. */
function publishedMerge(
  { input, space, current, pointId, point: before }: Importing,
  { read, merged }: { read: ReadBranch; merged: MergedBranch },
): Outcome<ImportResult> {
  const { commit, folder, trees } = read;
  const { revision, report } = merged;
  // The history of the space leads to this revision from the one that it takes the place of.
  const branch = revision === read.revision ? { ...revision, parents: [current._id] } : read.revision;
  return {
    result: {
      revision: revision._id,
      commit,
      unchanged: revision === current,
      standalone: false,
      merge: report,
    },
    publish: async (session) => {
      await insertRevision(branch, session);
      if (revision !== read.revision && revision !== current) await insertRevision(revision, session);
      const to = revision === current ? undefined : revision;
      const point = { _id: pointId, commit, folder, revision: branch._id, trees, before };
      await publishSync({ session, input, space, from: current._id, to, point });
    },
  };
}

function forReview(
  { input, run, space, current, pointId, point }: Importing,
  {
    base,
    read,
    merged,
    changeRequest,
  }: { base: RevisionRecord; read: ReadBranch; merged: MergedBranch; changeRequest: BranchChangeRequest },
): Outcome<ImportResult> {
  const { commit, folder, revision } = read;
  const merge = { ...merged.report, changeRequest: changeRequest.id };
  const name = input.ref.replace(/^refs\/(heads\/)?/, '');
  const git = { point: pointId, since: point?.commit ?? '', commit, folder, revision: revision._id };
  // The same commit again, as when an event is delivered twice.
  const isKnown = changeRequest.open?.git?.commit === commit && changeRequest.open.git.since === git.since;
  run.log('warning', 'The space is unchanged: a change request has the content of the branch.');
  return {
    result: { revision: current._id, commit, unchanged: true, standalone: false, merge },
    publish: async (session) => {
      await publishSync({ session, input, space, from: current._id });
      if (isKnown) return;
      await insertRevision(revision, session);
      const isSaved = await saveBranchChangeRequest(
        changeRequest,
        {
          space: space._id,
          git,
          base: base._id,
          subject: `Changes of ${name} at ${commit.slice(0, 12)}`,
          createdBy: run.job.startedBy,
        },
        session,
      );
      if (!isSaved)
        throw new JobError('internal', 'The change request of the branch was changed during the import.', {
          class: 'transient',
        });
    },
  };
}

async function planned(
  { input, run, current }: Importing,
  { read, merged, isForReview }: { read: ReadBranch; merged: MergedBranch; isForReview: boolean },
): Promise<Outcome<ImportResult>> {
  const { revision, report } = merged;
  const { branch: _, ...merge } = report;
  const changes =
    isForReview || revision === current
      ? await noChanges()
      : await describeContentChanges(await loadContent(current), await loadContent(revision), {
          sourcesOf: (hashes) => loadDocuments(current.organization, hashes),
          signal: run.signal,
        });
  return {
    result: {
      revision: current._id,
      commit: read.commit,
      unchanged: isForReview || revision === current,
      standalone: input.standalone,
      dryRun: true,
      changes,
      merge,
    },
  };
}
