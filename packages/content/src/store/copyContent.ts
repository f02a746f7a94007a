import { ContentNode, PageDocument, type RevisionRecord } from '@bindery/models';
import { contentKey, loadNodes } from './nodes.ts';

type Roots = Pick<RevisionRecord, 'organization' | 'pages' | 'files' | 'reusableContents'>;

/** What an entry of any node may refer to: child pages, a page's source, a file's bytes. */
type Referring = { children?: string; document?: string; blob?: string };

const perQuery = 500;

/**
 * Makes everything that these revisions hold readable in another organization too, under the same hashes; what is there already stays.
 *
 * Content is kept by organization, so this comes before a space changes hands. A copy that nothing ends up using is harmless.
 * @param revisions  of one organization
 * @param copyBlobs  does the same for files, by hash
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
  for (let level = new Set(revisions.flatMap(({ pages, files, reusableContents }) => [pages, files, reusableContents])); level.size > 0;) {
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
  // Leaves first: a node is only there when what it refers to is.
  await copyBlobs([...blobs]);
  await copyRecords(PageDocument, [...documents], { from, to });
  await copyRecords(ContentNode, [...nodes], { from, to });
}

/** MongoDB copies them itself. */
async function copyRecords(
  model: typeof PageDocument | typeof ContentNode,
  hashes: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (let start = 0; start < hashes.length; start += perQuery) {
    const keys = hashes.slice(start, start + perQuery).map((hash) => contentKey(from, hash));
    const key = { $replaceOne: { input: '$_id', find: { $literal: contentKey(from, '') }, replacement: { $literal: contentKey(to, '') } } };
    // What is there stays there, as for everybody who stores it.
    const reachable = { $unset: 'unreachableSince' };
    const into = { into: model.collection.collectionName, whenMatched: [reachable], whenNotMatched: 'insert' };
    await model.collection.aggregate([{ $match: { _id: { $in: keys } } }, { $set: { _id: key } }, reachable, { $merge: into }]).toArray();
  }
}
