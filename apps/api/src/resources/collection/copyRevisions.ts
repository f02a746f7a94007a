import { copyContent } from '@bindery/content';
import { Revision, type RevisionRecord } from '@bindery/models';
import { blobKey, type BlobStore } from '@bindery/storage';

const perCopy = 100;
const blobsAtOnce = 4;

export type RevisionCopy = {
  blobs: BlobStore;
  spaces: readonly string[];
  /** Ids of the revisions copied before; copyRevisions adds to it. */
  copied: Set<string>;
  /** The organization to copy to. */
  to: string;
};

/** Copies the content of all revisions of the spaces to another organization. */
export async function copyRevisions({ blobs, spaces, copied, to }: RevisionCopy): Promise<void> {
  const roots = { organization: 1, pages: 1, files: 1, reusableContents: 1 };
  let batch: RevisionRecord[] = [];
  const copyBatch = async () => {
    for (const [from, revisions] of Map.groupBy(batch, ({ organization }) => organization))
      await copyContent(revisions, {
        to,
        copyBlobs: async (hashes) => copyBlobs(hashes, { blobs, from, to }),
      });
    for (const { _id } of batch) copied.add(_id);
    batch = [];
  };
  for await (const revision of Revision.find({ space: { $in: spaces } }, roots)
    .lean<RevisionRecord>()
    .cursor()) {
    if (copied.has(revision._id)) continue;
    batch.push(revision);
    if (batch.length === perCopy) await copyBatch();
  }
  await copyBatch();
}

async function copyBlobs(
  hashes: readonly string[],
  { blobs, from, to }: { blobs: BlobStore; from: string; to: string },
): Promise<void> {
  const stored = await blobs.findStored(hashes.map((hash) => blobKey(to, hash)));
  const missing = hashes.filter((hash) => !stored.has(blobKey(to, hash))).values();
  const copyNext = async () => {
    for (const hash of missing) {
      const found = await blobs.open(blobKey(from, hash));
      if (found) await blobs.put(blobKey(to, hash), found.bytes);
    }
  };
  await Promise.all(Array.from({ length: blobsAtOnce }, copyNext));
}
