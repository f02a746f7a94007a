import { inspectStorage, type ContentKind, type KindReport } from '@bindery/content';
import { mongoDatabase } from '@bindery/models';
import { createBlobStore, type BlobStore } from '@bindery/storage';
import { parseBlobConfig } from '../parseConfig.ts';
import { withDatabase } from './openDatabase.ts';
import { printFindings, type Finding } from './printFindings.ts';
import { requireAccess } from './requireAccess.ts';

const examplesShown = 10;
const names: Record<ContentKind, string> = { node: 'nodes', document: 'documents', blob: 'files' };

/**
 * `bindery doctor --storage`: compares stored content with the references to it. Changes nothing; a bucket is
 * tried with an object that is removed again.
 *
 * @returns 1 when referenced content is missing, else 0
 * @throws Refusal when files are in S3 and cannot be read here
 */
export async function checkStorage(place: {
  data: string | undefined;
  environment: NodeJS.ProcessEnv;
}): Promise<number> {
  const settings = parseBlobConfig(place.environment);
  const code = await withDatabase(place, async () => {
    const blobs = createBlobStore(mongoDatabase(), settings);
    await requireAccess(blobs);
    return reportStorage(blobs, { hasBucket: settings.s3 !== undefined });
  });
  if (code !== 0)
    console.log(
      'Restore the missing content from a backup; until then, nothing of its organization is removed.',
    );
  return code;
}

/**
 * Prints the state of the storage.
 *
 * @param hasBucket  whether files may be in S3
 * @returns 1 when referenced content is missing, else 0
 */
export async function reportStorage(
  blobs: BlobStore,
  { hasBucket }: { hasBucket: boolean },
): Promise<number> {
  const report = await inspectStorage(blobs, new AbortController().signal);
  return printFindings([
    ...(Object.entries(report) as [ContentKind, KindReport][]).flatMap(([kind, found]) =>
      findingsOf(names[kind], found),
    ),
    ...(hasBucket ? [await findLostObjects(blobs)] : []),
  ]);
}

function findingsOf(name: string, { stored, unreachable, missing }: KindReport): Finding[] {
  const row = {
    name,
    isGood: true,
    text: `${stored} stored; nothing refers to ${unreachable.count} of them, which go when that has lasted`,
    details: [...unreachable.examples, ...more(unreachable.count, unreachable.examples.length)],
  };
  if (missing.count === 0) return [row];
  const lost = {
    name,
    isGood: false,
    text: `${missing.count} are referred to and not stored`,
    details: [
      ...missing.examples.map((example) => `${example.name}, from ${example.from}`),
      ...more(missing.count, missing.examples.length),
    ],
  };
  return [row, lost];
}

async function findLostObjects(blobs: BlobStore): Promise<Finding> {
  const examples: string[] = [];
  let count = 0;
  for await (const key of blobs.findLost()) {
    count += 1;
    if (examples.length < examplesShown) examples.push(key);
  }
  if (count === 0)
    return { name: 'S3', isGood: true, text: 'has the objects of all files that are stored there' };
  return {
    name: 'S3',
    isGood: false,
    text: `${count} files have no object in the bucket: restore them from a backup`,
    details: [...examples, ...more(count, examples.length)],
  };
}

function more(count: number, shown: number): string[] {
  return count > shown ? [`and ${count - shown} more`] : [];
}
