import { contentFields, findRevision, loadRevision, type ContentOfRevision } from '@bindery/content';
import { JobError, type GitMerge } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { notFastForward } from '../../git/wire/pushErrors.ts';
import type { ExportOutcome } from '../../child/repositoryExport.ts';
import type { Exporting } from './exporting.ts';
import { findSpace } from '../findSpace.ts';
import { logMerge } from '../logMerge.ts';
import { mergeBranch } from '../mergeBranch.ts';
import type { ExportMerge } from './pushCheckpoint.ts';
import type { PushedMerge } from './pushedMerge.ts';
import { readBranch } from './readBranch.ts';
import { commonState } from '../syncing.ts';
import { loadSyncPoint } from '../syncPoint.ts';
import { writeBranch, type Noted } from './writeBranch.ts';

/** Other writers may move the branch while its content is merged. */
const maxAttempts = 4;

type SettledOutcome = Exclude<ExportOutcome, { kind: 'diverged' }>;

export type Written = {
  outcome: SettledOutcome;
  noted: Noted | undefined;
  /** The merge that was written or, in a dry run, that the export would refuse. */
  report: GitMerge | undefined;
};

/**
 * Writes the content of a space to a branch. If the branch has commits that the space does not have, their
 * changes are merged with those of the space, and the commit goes on top of them.
 *
 * @returns the outcome, and the export as it was written
 *
 * @throws JobError not_fast_forward when both sides changed the same thing and `onConflict` names no side,
 *   when the branch and the space have no state last in sync, and when the branch is moved repeatedly
 */
export async function writeMerging(start: Exporting): Promise<Written & { exporting: Exporting }> {
  let exporting = start;
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, noted, refusal, moved } = await tryToWrite(exporting);
    if (outcome && !refusal) return { exporting, outcome, noted, report: exporting.merge?.report };
    const anew = await startAnew(exporting);
    const merge = moved && attempt < maxAttempts ? await mergeMoved(anew, moved.pushedMerge) : undefined;
    // The branch may have the content in another form, as a link by path instead of by id: no conflict.
    const hasAll = moved?.allOf === anew.exported._id && merge !== undefined && merge.commit === moved.head;
    const hasConflicts = merge !== undefined && merge.report.totals.conflicts > 0 && !hasAll;
    const isRefused = hasConflicts && anew.input.onConflict === 'fail';
    if (merge && !isRefused) {
      exporting = { ...anew, merge };
      continue;
    }
    if (outcome) return { exporting, outcome, noted, report: merge?.report };
    if (merge) throw conflicting(merge, anew);
    throw refusal ?? new Error('An export ended without an outcome.');
  }
}

/**
 * @returns `refusal` if the branch has commits that the space does not have, or does not exist any more; with
 *   the outcome in a dry run, which shows what `force` would change
 */
async function tryToWrite(exporting: Exporting): Promise<{
  outcome?: SettledOutcome;
  noted?: Noted;
  refusal?: JobError;
  moved?: Moved | undefined;
}> {
  try {
    const { outcome, noted, pushedMerge } = await writeBranch(exporting);
    const movedTo = (hasAll: boolean): Moved | undefined =>
      'head' in outcome && outcome.head !== undefined
        ? { head: outcome.head, pushedMerge, allOf: hasAll ? exporting.exported._id : undefined }
        : undefined;
    if (outcome.kind === 'diverged')
      return { refusal: notFastForward(outcome.message), moved: movedTo(outcome.hasAll) };
    const wouldBeRefused = outcome.kind === 'planned' && outcome.changes.needsForce && !exporting.input.force;
    if (!wouldBeRefused) return { outcome, noted };
    const hasAll = Object.values(outcome.changes.totals.files).every((count) => count === 0);
    return { outcome, noted, moved: movedTo(hasAll), refusal: notFastForward('The branch has moved.') };
  } catch (error) {
    // The branch was moved between the reading of its head and the push.
    if (error instanceof JobError && error.code === 'not_fast_forward') return { refusal: error, moved: {} };
    throw error;
  }
}

/** An existing branch that has commits which the space does not have. */
type Moved = {
  head?: string | undefined;
  /** The revision of the space, if the branch at `head` has all of its content. */
  allOf?: string | undefined;
  pushedMerge?: PushedMerge | undefined;
};

/** The export as it would start now. */
async function startAnew(exporting: Exporting): Promise<Exporting> {
  const space = await findSpace(exporting.space._id);
  const [exported, point] = await Promise.all([
    loadRevision(space._id, space.revision),
    loadSyncPoint(exporting.pointId),
  ]);
  return { ...exporting, space, exported, point, merge: undefined, resumption: { state: 'fresh' } };
}

/**
 * Merges the present content of the branch; undefined if there is no state last in sync, or no branch.
 *
 * @param pushed  the head of the branch, if it is a merge that has not been recorded
 */
async function mergeMoved(
  exporting: Exporting,
  pushed: PushedMerge | undefined,
): Promise<ExportMerge | undefined> {
  const { input, run, space, exported } = exporting;
  const point = commonState(exporting);
  if (!point) return undefined;
  const base = pushed?.base ?? (await findRevision(space._id, point.revision));
  if (!base) return undefined;
  const read = pushed ?? (await readBranch(exporting, base));
  const { revision, report } = await mergeBranch(
    { base, branch: read.branch, space: exported },
    { onConflict: input.onConflict, createdBy: run.job.startedBy },
  );
  logMerge(run, report);
  const { branch: _, ...shown } = report;
  const { commit, folder } = read;
  return { commit, folder, branch: contentOf(read.branch), merged: contentOf(revision), report: shown };
}

/** The part of a revision that is kept in the checkpoint: neither revision is inserted. */
function contentOf(revision: RevisionRecord): ContentOfRevision {
  const { organization, space, format } = revision;
  return { organization, space, format, ...contentFields(revision) };
}

const pagesNamed = 10;

function conflicting({ commit, report }: ExportMerge, { point }: Exporting): JobError {
  const names = new Set(report.conflicts.map(nameOf));
  const named = [...names].slice(0, pagesNamed).join(', ');
  const others = names.size > pagesNamed ? ` and ${names.size - pagesNamed} others` : '';
  return new JobError(
    'not_fast_forward',
    `The branch is at commit ${commit}, and the space was last in sync with commit ${point?.commit}: both changed the same parts of ${named}${others}. Nothing was written.`,
    {
      action:
        'Export with `onConflict`, `space` or `branch`, to take the version of one side. Or import the branch, ' +
        'resolve the conflicts in the space, and export again; a dry run shows the conflicts.',
    },
  );
}

function nameOf({ page, file, reusableContent, variable, redirect }: GitMerge['conflicts'][number]): string {
  if (page) return `the page ${JSON.stringify(page.path ?? page.title)}`;
  if (file !== undefined) return `the file ${file}`;
  if (reusableContent !== undefined) return `the reusable content ${reusableContent}`;
  return variable === undefined ? `the redirect ${redirect}` : `the variable ${variable}`;
}
