import { createHash } from 'node:crypto';
import type { RepositoryFiles, TreeEntry } from '@bindery/dialect/repository-format';

export type MemoryRepository = RepositoryFiles & {
  /** The paths of each call of `readBlobs`, in order. */
  batches: string[][];
};

/**
 * A repository in memory, in the form for the reader of the format. Blobs of `withheld` paths are listed but
 * not returned.
 */
export function memoryRepository(
  files: ReadonlyMap<string, string | Uint8Array> | Record<string, string | Uint8Array>,
  { withheld = [] as readonly string[] } = {},
): MemoryRepository {
  const entries = new Map<string, TreeEntry>();
  const blobs = new Map<string, { path: string; bytes: Uint8Array }>();
  for (const [path, content] of files instanceof Map ? files : Object.entries(files)) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : (content as Uint8Array);
    const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    entries.set(path, { path, oid, mode: '100644', sizeBytes: bytes.length });
    if (!withheld.includes(path)) blobs.set(oid, { path, bytes });
  }
  const batches: string[][] = [];
  return {
    entries,
    batches,
    readBlobs: (oids) => {
      batches.push(oids.map((oid) => blobs.get(oid)?.path ?? oid));
      return Promise.resolve(
        new Map(
          oids.flatMap((oid) =>
            blobs.has(oid) ? [[oid, (blobs.get(oid) as { bytes: Uint8Array }).bytes] as const] : [],
          ),
        ),
      );
    },
  };
}
