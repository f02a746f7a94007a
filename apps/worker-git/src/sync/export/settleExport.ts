import type { Outcome } from '@bindery/jobs';
import type { GitMerge } from '@bindery/contract';
import type { ExportOutcome } from '../../child/repositoryExport.ts';
import type { Exporting, ExportResult } from './exporting.ts';
import { prepareSync, publishExport } from './publishExport.ts';
import type { PushCheckpoint } from './pushCheckpoint.ts';
import { placeContent, storeLocations } from '../syncedContent.ts';
import type { Noted } from './writeBranch.ts';
import type { Written } from './writeMerging.ts';

/** Prepares the result of an export, and the sync to publish: none for a dry run or a standalone export. */
export async function settleExport(
  exporting: Exporting,
  { outcome, noted, report }: Written,
): Promise<Outcome<ExportResult>> {
  const { run, resumption } = exporting;
  if (outcome.kind === 'planned') return planned(exporting, outcome, report);
  if (outcome.kind === 'unchanged') return unchanged(exporting, outcome);
  run.log('info', `The branch has commit ${outcome.commit}.`);
  if (outcome.kind === 'pushed-before' && resumption.state === 'settled')
    return settledBefore(exporting, resumption.checkpoint);
  if (!noted) throw new Error('A commit was pushed before it was noted.');
  return pushed(exporting, outcome, noted);
}

/**
 * Settles an export whose content the branch already has. The commit may still be new to the space, if it was
 * pushed by another writer.
 */
async function unchanged(
  exporting: Exporting,
  outcome: Extract<ExportOutcome, { kind: 'unchanged' }>,
): Promise<Outcome<ExportResult>> {
  const { input, run, space, exported, merge, pointId, point } = exporting;
  const { head } = outcome;
  run.log('info', 'The branch holds the content of the space already: there is nothing to commit.');
  const result = {
    revision: space.revision,
    exported: exported._id,
    unchanged: true,
    standalone: input.standalone,
    merge: merge?.report,
  };
  if (head === undefined || input.standalone) return { result: { ...result, commit: head } };
  const isKnown = point?.commit === head && point.revision === exported._id && space.syncedWith === pointId;
  const content = merge?.merged ?? exported;
  const place = async () => placeContent(content, await storeLocations(content.organization, outcome));
  const { folder, trees } = outcome;
  const sync = isKnown
    ? undefined
    : await prepareSync(exporting, { commit: head, placed: await place(), folder, trees });
  return {
    result: { ...result, commit: head, revision: sync?.shown?._id ?? space.revision },
    publish: (session) => publishExport(session, exporting, sync),
  };
}

/** Settles a dry run, which reports the changes and publishes nothing. */
function planned(
  { input, space, exported }: Exporting,
  { head, changes }: Extract<ExportOutcome, { kind: 'planned' }>,
  merge: GitMerge | undefined,
): Outcome<ExportResult> {
  const unchanged = Object.values(changes.totals.files).every((count) => count === 0);
  return {
    result: {
      revision: space.revision,
      exported: exported._id,
      commit: head,
      unchanged,
      standalone: input.standalone,
      dryRun: true,
      changes,
      merge,
    },
  };
}

async function pushed(
  exporting: Exporting,
  outcome: Extract<ExportOutcome, { kind: 'pushed' | 'pushed-before' }>,
  { placed, folder }: Noted,
): Promise<Outcome<ExportResult>> {
  const { input, run, space, exported, merge } = exporting;
  const { commit } = outcome;
  const files = outcome.kind === 'pushed' ? countFiles(outcome.changes) : undefined;
  if (files) run.stats({ filesWritten: files.written, filesRemoved: files.removed });
  const result = {
    exported: exported._id,
    commit,
    unchanged: false,
    standalone: input.standalone,
    files,
    merge: merge?.report,
  };
  if (input.standalone) return { result: { ...result, revision: space.revision } };
  const trees = outcome.kind === 'pushed' ? outcome.trees : undefined;
  const sync = await prepareSync(exporting, { commit, placed, folder, trees });
  return {
    result: { ...result, revision: sync.shown?._id ?? sync.current },
    publish: (session) => publishExport(session, exporting, sync),
  };
}

/** The job was retried after its push, and a later sync has overtaken that push. */
function settledBefore(
  { input, space }: Exporting,
  { exported, commit }: PushCheckpoint,
): Outcome<ExportResult> {
  return {
    result: { revision: space.revision, exported, commit, unchanged: true, standalone: input.standalone },
  };
}

function countFiles(changes: readonly { kind: string }[]): { written: number; removed: number } {
  const removed = changes.filter(({ kind }) => kind === 'remove').length;
  return { written: changes.length - removed, removed };
}
