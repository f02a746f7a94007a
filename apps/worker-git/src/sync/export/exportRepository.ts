import { loadRevision } from '@bindery/content';
import type { Run } from '@bindery/jobs';
import type { Export, ExportInput, Exporting } from './exporting.ts';
import type { SyncParts } from '../syncing.ts';
import { findSpace } from '../findSpace.ts';
import { loadHistory, withHistory } from '../pageHistory.ts';
import { refuseStale } from '../publishSync.ts';
import type { PushCheckpoint } from './pushCheckpoint.ts';
import { resumeExport } from './resumeExport.ts';
import { settleExport } from './settleExport.ts';
import { findSyncPoint } from '../syncPoint.ts';
import { writeMerging } from './writeMerging.ts';

/**
 * Writes the content of a space to a branch, as one commit of the differences, in four stages: load the
 * content, write the branch (merged with its content, if it has moved), prepare the sync, publish it
 * (`publishExport`, in the transaction that ends the job).
 *
 * The commit depends only on the job (content, message, author, time of acceptance), so a second run makes
 * the same one. It is recorded before the push: however a run ends, the branch gets the commit once.
 */
export function createExportRepository(parts: SyncParts): Export {
  return async (input, run) => {
    const written = await writeMerging(await loadExport(parts, input, run));
    run.progress('finalize');
    const outcome = await settleExport(written.exporting, written);
    const history = 'history' in written.outcome ? written.outcome.history : undefined;
    return withHistory(outcome, written.exporting, { history });
  };
}

async function loadExport(parts: SyncParts, input: ExportInput, run: Run): Promise<Exporting> {
  const space = await findSpace(input.spaceId);
  refuseStale(input, space);
  const { pointId, point } = await findSyncPoint(parts.config, space, input);
  const known = await loadHistory({ space, pointId }, input);
  const resumption = resumeExport(run.job.checkpoint as PushCheckpoint | undefined, { space, point });
  const resumed = resumption.state === 'resumed' ? resumption.checkpoint : undefined;
  return {
    ...parts,
    input,
    run,
    space,
    exported: await loadRevision(space._id, resumed?.exported ?? space.revision),
    merge: resumed?.merge,
    resumption,
    pointId,
    point,
    known,
  };
}
