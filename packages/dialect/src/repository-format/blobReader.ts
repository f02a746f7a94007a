import { JobError } from '@bindery/contract/jobErrors';
import type { RepositoryFiles, TreeEntry } from './types.ts';

/** Reads the small files that locate the others; each blob once. */
export type BlobReader = {
  /** Reads several blobs at once; skips undefined ones and those already read. */
  load(entries: readonly (TreeEntry | undefined)[]): Promise<void>;
  /** @throws JobError `too_large` when the repository did not return the blob */
  get(entry: TreeEntry): Uint8Array;
};

export function blobReader(files: RepositoryFiles): BlobReader {
  const read = new Map<string, Uint8Array>();
  const asked = new Set<string>();
  return {
    async load(entries) {
      const oids = [
        ...new Set(entries.flatMap((entry) => (entry && !asked.has(entry.oid) ? [entry.oid] : []))),
      ];
      if (oids.length === 0) return;
      for (const oid of oids) asked.add(oid);
      for (const [oid, blob] of await files.readBlobs(oids)) read.set(oid, blob);
    },
    get(entry) {
      const blob = read.get(entry.oid);
      if (!blob) throw tooLarge(entry);
      return blob;
    },
  };
}

/** The error for a required text file that exceeds the size limit. */
export function tooLarge({ path }: TreeEntry): JobError {
  return new JobError('too_large', `${JSON.stringify(path.slice(0, 200))} is too large to be read as text.`, {
    action: 'Split the file, or move it out of the content root.',
  });
}
