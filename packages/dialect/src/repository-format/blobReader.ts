import { JobError } from '@bindery/contract/jobErrors';
import type { RepositoryFiles, TreeEntry } from './types.ts';

/** Reads the small files that say where things are; each blob once. */
export type BlobReader = {
  /** Asks for all of them at once; what is undefined or read already is left out. */
  load(entries: readonly (TreeEntry | undefined)[]): Promise<void>;
  /** @throws JobError `too_large` when the blob was not given */
  get(entry: TreeEntry): Uint8Array;
};

export function blobReader(files: RepositoryFiles): BlobReader {
  const read = new Map<string, Uint8Array>();
  const asked = new Set<string>();
  return {
    async load(entries) {
      const oids = [...new Set(entries.flatMap((entry) => (entry && !asked.has(entry.oid) ? [entry.oid] : [])))];
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

/** A text file that an import cannot do without is not there, because it is larger than a text may be. */
export function tooLarge({ path }: TreeEntry): JobError {
  return new JobError('too_large', `${JSON.stringify(path.slice(0, 200))} is too large to be read as text.`, {
    action: 'Split the file, or move it out of the content root.',
  });
}
