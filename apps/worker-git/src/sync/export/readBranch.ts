import type { RevisionRecord } from '@bindery/models';
import { inWorkFolder } from '@bindery/runtime';
import type { Exporting } from './exporting.ts';
import { remoteRequest } from '../remoteRequest.ts';
import {
  loadRepositoryRecord,
  nothingKnown,
  notesOf,
  repositoryKey,
  type RepositoryRecord,
} from '../repositoryRecord.ts';
import { lastReading, storePages, storeWhole } from '../import/storeReading.ts';

/**
 * Reads the content of a branch that an export found to have moved, and stores it as a revision, which is not
 * inserted.
 *
 * @param base  the revision last in sync, whose pages keep their ids
 */
export async function readBranch(exporting: Exporting, base: RevisionRecord): Promise<ReadBranch> {
  return inWorkFolder('git', async (workFolder) => readInto(workFolder, exporting, base));
}

type ReadBranch = { branch: RevisionRecord; commit: string; folder: string };

async function readInto(workFolder: string, exporting: Exporting, base: RevisionRecord): Promise<ReadBranch> {
  const { config, reader, input, run, space } = exporting;
  const key = repositoryKey(config, space, input);
  let record: RepositoryRecord = nothingKnown;
  const storing = () => ({ ...exporting, current: base, mergedInto: exporting.exported, key, record });
  const reading = await reader.read(
    { ...(await remoteRequest({ ...exporting, workFolder })), known: undefined },
    {
      signal: run.signal,
      onStage: () => {},
      loadKnown: async () => {
        record = await loadRepositoryRecord(key);
        return { pages: record.pages, files: record.files, last: lastReading(storing(), record) };
      },
      isUnrecordedPush: async () => false,
    },
  );
  if (reading.unchanged) throw new Error('A branch was to be read whatever it is known for.');
  const { revision } = reading.content
    ? await storeWhole(storing(), reading, notesOf(reading))
    : await storePages(storing(), reading);
  return { branch: revision, commit: reading.commit.oid, folder: reading.last.treeOid };
}
