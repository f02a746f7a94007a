import { childrenOf, loadRevision, openTree } from '@bindery/content';
import { Revision, type RevisionRecord, type SpaceRecord } from '@bindery/models';
import { type DocumentOwner, loadShownContent, loadShownPages } from '@bindery/publishing';
import type { Reader } from '../../../http/actor.ts';
import type { Links } from '../../../presenters/links.ts';

/** The number of a space's last revisions to search, including those of change requests. */
const maxRevisions = 100;

type Asked = { links: Links; documentId: string; reader: Reader };

/**
 * A document with its revision. The id alone does not identify it, because pages of several spaces may have
 * the same source.
 */
type LocatedDocument = { revision: RevisionRecord; owner: DocumentOwner };

/**
 * Finds the page or reusable content of a document in the main content of a space; for members also in its
 * last revisions. Visitors find only documents on pages that they see.
 *
 * @returns undefined when no content of the space that the reader may see has the document, even if the
 *   organization stores it
 */
export async function locateDocument(space: SpaceRecord, { links, documentId, reader }: Asked) {
  if (!/^[0-9a-f]{64}$/.test(documentId)) return undefined;
  const main = await loadRevision(space._id, space.revision);
  const found = reader.visitor
    ? await findShown(main, { documentId, reader })
    : await findInPages(main, { documentId, seen: new Set() });
  return (
    found ??
    (await findInReusableContents(main, { links, documentId, reader })) ??
    (reader.visitor ? undefined : findInHistory(space, { links, documentId, reader }))
  );
}

async function findShown(revision: RevisionRecord, { documentId, reader }: Omit<Asked, 'links'>) {
  const { byId } = await loadShownPages(revision, reader);
  const found = byId.values().find(({ page }) => page.type === 'document' && page.document === documentId);
  return found && ({ revision, owner: found } satisfies LocatedDocument);
}

async function findInHistory(
  { _id }: SpaceRecord,
  { links, documentId, reader }: Asked,
): Promise<LocatedDocument | undefined> {
  const seen = new Set<string>();
  const revisions = await Revision.find({ space: _id })
    .sort({ createdAt: -1, _id: -1 })
    .limit(maxRevisions)
    .lean<RevisionRecord[]>();
  for (const revision of revisions) {
    const found =
      (await findInPages(revision, { documentId, seen })) ??
      (await findInReusableContents(revision, { links, documentId, reader }));
    if (found) return found;
  }
  return undefined;
}

/** @param seen  hashes of nodes that were searched before: revisions share most nodes */
async function findInPages(
  revision: RevisionRecord,
  { documentId, seen }: { documentId: string; seen: Set<string> },
): Promise<LocatedDocument | undefined> {
  if (seen.has(revision.pages)) return undefined;
  const tree = await openTree(revision.organization, revision.pages);
  const pending = [tree.root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    if (seen.has(hash)) continue;
    seen.add(hash);
    for (const item of tree.node(hash)) {
      if (item.type === 'document' && item.document === documentId) {
        const page = tree.subtree(item.id);
        if (page) return { revision, owner: { page } };
      }
      const below = childrenOf(item);
      if (below !== undefined) pending.push(below);
    }
  }
  return undefined;
}

async function findInReusableContents(
  revision: RevisionRecord,
  { links, documentId, reader }: Asked,
): Promise<LocatedDocument | undefined> {
  const { reusableContents } = await loadShownContent(revision, { links, reader });
  const reusableContent = reusableContents.find(({ document }) => document === documentId);
  return reusableContent && { revision, owner: { reusableContent } };
}
