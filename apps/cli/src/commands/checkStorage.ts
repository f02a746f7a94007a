import { inspectStorage, type ContentKind, type KindReport } from '@bindery/content';
import { mongoDatabase } from '@bindery/models';
import { createGridFsBlobStore, type BlobStore } from '@bindery/storage';
import { withDatabase } from './openDatabase.ts';
import { printFindings, type Finding } from './printFindings.ts';

const names: Record<ContentKind, string> = { node: 'nodes', document: 'documents', blob: 'files' };

/**
 * `bindery doctor --storage`: compares stored content with the references to it. Read-only.
 *
 * @returns 1 when referenced content is missing, else 0
 */
export async function checkStorage(place: {
  data: string | undefined;
  environment: NodeJS.ProcessEnv;
}): Promise<number> {
  const code = await withDatabase(place, () => reportStorage(createGridFsBlobStore(mongoDatabase())));
  if (code !== 0)
    console.log('Restore what is missing from a backup: until then nothing of its organization is removed.');
  return code;
}

/** Prints the state of the storage. @returns 1 when referenced content is missing, else 0 */
export async function reportStorage(blobs: BlobStore): Promise<number> {
  const report = await inspectStorage(blobs, new AbortController().signal);
  return printFindings(
    (Object.entries(report) as [ContentKind, KindReport][]).flatMap(([kind, found]) =>
      findingsOf(names[kind], found),
    ),
  );
}

function findingsOf(name: string, { stored, unreachable, missing }: KindReport): Finding[] {
  const more = (count: number, shown: number) => (count > shown ? [`and ${count - shown} more`] : []);
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
