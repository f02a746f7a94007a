import { inspectStorage, type ContentKind, type KindReport } from '@bindery/content';
import { mongoDatabase } from '@bindery/models';
import { createGridFsBlobStore } from '@bindery/storage';
import { withDatabase } from './openDatabase.ts';

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
  const report = await withDatabase(place, () =>
    inspectStorage(createGridFsBlobStore(mongoDatabase()), new AbortController().signal),
  );
  for (const [kind, found] of Object.entries(report) as [ContentKind, KindReport][])
    print(names[kind], found);
  const missing = Object.values(report).reduce((sum, found) => sum + found.missing.count, 0);
  if (missing > 0)
    console.log('Restore what is missing from a backup: until then nothing of its organization is removed.');
  return missing === 0 ? 0 : 1;
}

function print(name: string, { stored, unreachable, missing }: KindReport): void {
  const row = (isGood: boolean, text: string, details: readonly string[]) => {
    console.log(`${isGood ? 'ok  ' : 'FIX '} ${name.padEnd(12)} ${text}`);
    for (const detail of details) console.log(`${' '.repeat(18)}${detail}`);
  };
  const more = (count: number, shown: number) => (count > shown ? [`and ${count - shown} more`] : []);
  row(
    true,
    `${stored} stored; nothing refers to ${unreachable.count} of them, which go when that has lasted`,
    [...unreachable.examples, ...more(unreachable.count, unreachable.examples.length)],
  );
  if (missing.count === 0) return;
  row(false, `${missing.count} are referred to and not stored`, [
    ...missing.examples.map((example) => `${example.name}, from ${example.from}`),
    ...more(missing.count, missing.examples.length),
  ]);
}
