import { openTree, prepareMergedRevision, type MergeConflict } from '@bindery/content';
import { ApiError, JobError, type GitConflict, type GitMerge } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';

/** A space and a branch that both changed since they were last in sync. */
export type BothChanged = {
  /** The revision last in sync. */
  base: RevisionRecord;
  /** The content of the branch; its pages have the ids of `base`. */
  branch: RevisionRecord;
  space: RevisionRecord;
};

export type MergedBranch = {
  /** The content of both: `branch` or `space` itself if it has no more than that, or else a new revision. */
  revision: RevisionRecord;
  hasConflicts: boolean;
  report: GitMerge;
};

const limits = { entries: 250, characters: 4_000 };
/** The report is a part of the job's record. */
const maxReportBytes = 1_000_000;

/**
 * Merges what a branch and a space changed since they were last in sync, by pages and blocks. Where both
 * changed the same thing, the result has the version of the space if `onConflict` is `space`, otherwise the
 * version of the branch, and the report lists the other one. Stores new content, but inserts no revision.
 *
 * @throws JobError bad_content when a page takes too long to compare
 */
export async function mergeBranch(
  { base, branch, space }: BothChanged,
  { onConflict, createdBy }: { onConflict: GitMerge['onConflict']; createdBy: string },
): Promise<MergedBranch> {
  const [ours, theirs] = onConflict === 'space' ? [branch, space] : [space, branch];
  const { revision, ...merge } = await prepareMergedRevision(
    { base, ours, theirs },
    { type: 'merge', parents: [space._id, branch._id], createdBy, format: space.format },
    { limits },
  ).catch(refuse);
  const shownPage = await pagesIn([revision, space, branch]);
  const keptIsSpace = onConflict === 'space' || onConflict === 'change-request';
  let bytes = 0;
  const fits = (entry: object) => (bytes += Buffer.byteLength(JSON.stringify(entry))) <= maxReportBytes;
  const pages = merge.bothChanged.slice(0, limits.entries).map(shownPage).filter(fits);
  const conflicts = merge.conflicts
    .map(({ page, ours: our, theirs: their, ...conflict }): GitConflict => {
      const sides = onConflict === 'space' ? { branch: our, space: their } : { branch: their, space: our };
      return {
        ...conflict,
        page: page === undefined ? undefined : shownPage(page),
        ...sides,
        kept: keptSide(conflict.field, sides, keptIsSpace ? 'space' : 'branch'),
      };
    })
    .filter(fits);
  const totals = { pages: merge.bothChanged.length, conflicts: merge.conflictCount };
  return {
    revision: [branch, space].find(({ contentHash }) => contentHash === revision.contentHash) ?? revision,
    hasConflicts: merge.conflictCount > 0,
    report: {
      base: base._id,
      branch: branch._id,
      space: space._id,
      onConflict,
      totals,
      pages,
      conflicts,
      omitted: totals.pages - pages.length + totals.conflicts - conflicts.length,
    },
  };
}

/** Returns the side that is kept. An edit outlives a removal on the other side, whichever side wins. */
function keptSide(
  field: MergeConflict['field'],
  { branch, space }: Record<'branch' | 'space', string | null>,
  winner: 'branch' | 'space',
): GitConflict['kept'] {
  if (field !== 'deleted') return winner;
  if (branch === null) return 'space';
  return space === null ? 'branch' : winner;
}

/** Shows a page as the first of the revisions that has it. */
async function pagesIn(
  revisions: readonly RevisionRecord[],
): Promise<(id: string) => GitMerge['pages'][number]> {
  const trees = await Promise.all(revisions.map(({ organization, pages }) => openTree(organization, pages)));
  return (id) => {
    for (const tree of trees) {
      const page = tree.page(id)?.page;
      if (page) return { id, title: page.title, path: 'path' in page ? page.path : undefined };
    }
    return { id, title: '' };
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new JobError(
    'bad_content',
    'The branch and the space both changed a page that takes too long to compare.',
    { action: 'Split the page, or repeat the operation with `force`, which takes one side as a whole.' },
  );
}
