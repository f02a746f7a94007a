import { ContentNode, PageDocument, type RevisionRecord } from '@bindery/models';
import { chunksOf } from '@bindery/runtime';
import { contentKey, loadNodes } from './nodes.ts';

type Roots = Pick<RevisionRecord, 'organization' | 'pages' | 'files' | 'reusableContents'>;

/** The references of an entry of any node: child pages, a page's source, a file's bytes. */
type Referring = { children?: string; document?: string; blob?: string };

const perQuery = 500;

/**
 * Copies the content of revisions to another organization, under the same hashes; skips content that it
 * already has.
 *
 * Content is stored by organization, so this precedes the transfer of a space. An unused copy is harmless.
 *
 * @param revisions  of one organization
 * @param copyBlobs  copies files, by hash
 */
export async function copyContent(
  revisions: readonly Roots[],
  { to, copyBlobs }: { to: string; copyBlobs: (hashes: string[]) => Promise<void> },
): Promise<void> {
  const from = revisions[0]?.organization;
  if (from === undefined || from === to) return;
  const nodes = new Set<string>();
  const documents = new Set<string>();
  const blobs = new Set<string>();
  for (
    let level = new Set(
      revisions.flatMap(({ pages, files, reusableContents }) => [pages, files, reusableContents]),
    );
    level.size > 0;
  ) {
    const found = await loadNodes<Referring>(from, [...level]);
    const below = new Set<string>();
    for (const [hash, items] of found) {
      nodes.add(hash);
      for (const { children, document, blob } of items) {
        if (children !== undefined) below.add(children);
        if (document !== undefined) documents.add(document);
        if (blob !== undefined) blobs.add(blob);
      }
    }
    level = below.difference(nodes);
  }
  // Leaves first: a node must not be stored before the content that it refers to.
  await copyBlobs([...blobs]);
  await copyRecords(PageDocument, [...documents], { from, to });
  await copyRecords(ContentNode, [...nodes], { from, to });
}

/** MongoDB copies the records itself. */
async function copyRecords(
  model: typeof PageDocument | typeof ContentNode,
  hashes: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const some of chunksOf(hashes, perQuery)) {
    const keys = some.map((hash) => contentKey(from, hash));
    const key = {
      $replaceOne: {
        input: '$_id',
        find: { $literal: contentKey(from, '') },
        replacement: { $literal: contentKey(to, '') },
      },
    };
    // Copied content is no longer unreachable, as after any other write.
    const reachable = { $unset: 'unreachableSince' };
    const into = {
      into: model.collection.collectionName,
      whenMatched: [reachable],
      whenNotMatched: 'insert',
    };
    await model.collection
      .aggregate([{ $match: { _id: { $in: keys } } }, { $set: { _id: key } }, reachable, { $merge: into }])
      .toArray();
  }
}
