import { readFile } from 'node:fs/promises';
import { readArchive } from '@bindery/archive';
import { JobError } from '@bindery/contract/jobErrors';
import type { PageFacts, TreeEntry } from '@bindery/dialect/repository-format';
import { readSpaceContent } from '@bindery/dialect/repository-reader';
import { indexBlobs } from '../child/indexBlobs.ts';
import { refuseLargeMetadata } from '../child/metadataSize.ts';
import type { ReadContent } from '../child/repositoryReading.ts';
import type { GitLimits } from '../git/gitLimits.ts';
import { LazyBlobs } from '../git/objects/lazyBlobs.ts';
import { ObjectStore } from '../git/objects/objectStore.ts';

export type FolderRequest = {
  /** Paths of ZIP archives, which together have the files of the folder. */
  archives: readonly string[];
  /** Path of the file that it creates, with the bytes of all files. */
  objects: string;
  limits: Pick<GitLimits, 'maxEntries' | 'maxFileBytes' | 'maxPageBytes' | 'maxTotalBytes'>;
};

export type FolderEvent = { kind: 'stage'; stage: 'read' | 'content_process'; done?: number; total?: number };

/** The work of the process that reads a folder. */
export type FolderWork = {
  read: { request: FolderRequest; event: FolderEvent; asks: object; result: ReadContent };
};

/**
 * Reads the content of a space from a folder, as `readRepository` does from the files of a commit: files have
 * the ids that git would give them. Runs in a process of its own (`folderChild.ts`), because everything it
 * reads is untrusted.
 *
 * @throws JobError
 */
export async function readFolder(
  { archives, objects, limits }: FolderRequest,
  tell: (event: FolderEvent) => void,
): Promise<ReadContent> {
  const store = new ObjectStore(objects, limits.maxTotalBytes);
  try {
    const entries = await unpack(archives, { store, limits, tell });
    const facts: [string, PageFacts][] = [];
    const content = await readSpaceContent(
      {
        entries,
        readBlobs: async (oids) => {
          const blobs = oids.map((oid) => store.find(oid)!);
          return new LazyBlobs(
            store,
            blobs.filter(({ size }) => size <= limits.maxPageBytes),
          );
        },
      },
      {
        projectDirectory: '',
        onFacts: (oid, found) => void facts.push([oid, found]),
        onProgress: (done, total) => tell({ kind: 'stage', stage: 'content_process', done, total }),
      },
    );
    refuseLargeMetadata(content, facts);
    const oids = [...facts.map(([oid]) => oid), ...content.files.map(({ git }) => git.oid)];
    const blobs = indexBlobs(store, oids);
    store.flush();
    return { content, facts, spool: { path: objects, blobs } };
  } finally {
    store.close();
  }
}

async function unpack(
  archives: readonly string[],
  {
    store,
    limits,
    tell,
  }: Pick<FolderRequest, 'limits'> & { store: ObjectStore; tell(event: FolderEvent): void },
): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  for (const [index, archive] of archives.entries()) {
    tell({ kind: 'stage', stage: 'read', done: index, total: archives.length });
    // One at a time, because an archive is read into memory.
    const files = await readArchive(await readFile(archive), {
      keepsArchives: true,
      uploaded: `The archive \`files[${index}]\``,
      limits: {
        entries: limits.maxEntries - entries.size,
        entryBytes: limits.maxFileBytes,
        totalBytes: store.leftBytes,
      },
    });
    for (const [path, bytes] of files) {
      if (entries.has(path))
        throw new JobError('bad_content', 'Two of the archives have the same file.', {
          action: 'Give each file in one archive only.',
        });
      store.reserve(bytes.length);
      const object = store.startObject('blob', bytes.length);
      object.write(bytes);
      entries.set(path, { path, oid: object.finish().oid, mode: '100644', sizeBytes: bytes.length });
    }
  }
  return entries;
}
