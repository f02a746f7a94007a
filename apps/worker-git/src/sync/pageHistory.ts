import { findPageHistory, prepareHistory } from '@bindery/content';
import type { Outcome, Run } from '@bindery/jobs';
import type { PageHistoryRecord, SpaceRecord } from '@bindery/models';
import type { BranchHistory, HistoryAsked } from '../child/branchHistory.ts';

/** The history of a space's pages before a sync, and what to ask the repository for. */
export type KnownHistory = {
  record?: PageHistoryRecord;
  /** Absent if the space or the job wants no history. */
  asked?: HistoryAsked;
};

type Syncing = { space: SpaceRecord; pointId: string; run: Run };

/** Loads what is known of the history of a space's pages in a branch. */
export async function loadHistory(
  { space, pointId }: Pick<Syncing, 'space' | 'pointId'>,
  { standalone, dryRun }: { standalone: boolean; dryRun: boolean },
): Promise<KnownHistory> {
  if (space.gitHistory === false || standalone || dryRun) return {};
  const record = await findPageHistory(space._id);
  // A space shows the history of one branch, the one last in sync.
  if (record?.point !== pointId) return { asked: {} };
  const { commit, folder, isUnsupported } = record;
  return { record, asked: { last: { commit, folder, isUnsupported } } };
}

/**
 * Adds the history that a sync has read to its last write. The job's log names the missing parts.
 *
 * @param moved  the former paths of pages by their new ones
 */
export async function withHistory<Result>(
  outcome: Outcome<Result>,
  { space, pointId, run, known }: Syncing & { known: KnownHistory },
  { history, moved = new Map() }: { history: BranchHistory | undefined; moved?: ReadonlyMap<string, string> },
): Promise<Outcome<Result>> {
  if (!history || outcome.state === 'superseded') return outcome;
  logHistory(run, history);
  if (history.kind === 'failed') return outcome;
  const isRead = history.kind === 'read';
  const save = await prepareHistory({
    space: space._id,
    point: pointId,
    commit: history.commit,
    ...(isRead ? history.folder !== undefined && { folder: history.folder } : { isUnsupported: true }),
    before: isRead && history.isContinued ? known.record : undefined,
    changes: { people: [], touches: [], ...(isRead && history), moved },
  });
  return {
    ...outcome,
    publish: async (session) => {
      await outcome.publish?.(session);
      await save(session);
    },
  };
}

function logHistory(run: Run, history: BranchHistory): void {
  if (history.kind === 'failed')
    run.log(
      'warning',
      `The history of the pages was not read; the next sync tries again. ${history.message}`,
    );
  else if (history.kind === 'unsupported')
    run.log(
      'info',
      'The git server sends no commits without all their files, so the history of the pages was not read: they have no authors and dates of git.',
    );
  else if (history.cutAt !== undefined)
    run.log(
      'info',
      `The branch has more history than is read of it: pages that did not change since commit ${history.cutAt} have no authors and dates of git.`,
    );
}
