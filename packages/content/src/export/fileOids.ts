import type { FileItem } from '../store/items.ts';
import type { ExportedContent, ExportSources } from './types.ts';

/**
 * Finds the git blob ids of files, by the hash under which they are stored. Asks only for ids that the last
 * sync does not know.
 */
export async function fileOidsOf(
  files: readonly FileItem[],
  { synced, sources }: { synced: ExportedContent | undefined; sources: ExportSources },
): Promise<ReadonlyMap<string, string>> {
  const known = new Map(synced?.files.flatMap(({ blob, git }) => (git ? [[blob, git.oid] as const] : [])));
  const unknown = [...new Set(files.map(({ blob }) => blob).filter((blob) => !known.has(blob)))];
  const asked = unknown.length > 0 ? await sources.fileOids(unknown) : new Map<string, string>();
  for (const blob of unknown) {
    const oid = asked.get(blob);
    if (oid === undefined) throw new Error(`The stored file ${blob} is missing.`);
    known.set(blob, oid);
  }
  return known;
}
