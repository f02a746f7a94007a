import {
  loadFiles,
  loadReusableContents,
  loadTree,
  openTree,
  prepareChangedRevision,
  type FileItem,
  type ReusableContentItem,
  type RevisionContent,
} from '@bindery/content';
import type { ExportedPlaces } from '@bindery/content/export';
import type { RevisionRecord } from '@bindery/models';

/** Where everything of a space stands in a repository: pages, files and reusable contents by id. */
export type Places = { pages: ExportedPlaces; files: ExportedPlaces; reusableContents: ExportedPlaces };

/** Everything that a revision holds. */
export async function loadContent(revision: RevisionRecord): Promise<RevisionContent> {
  const [pages, files, reusableContents] = await Promise.all([
    loadTree(revision.organization, revision.pages),
    loadFiles(revision),
    loadReusableContents(revision),
  ]);
  return { pages, files, reusableContents, variables: revision.variables, redirects: revision.redirects };
}

/** What a revision holds when its items say where they stand in the repository: hashes of nodes that are stored. */
export type PlacedContent = Pick<RevisionRecord, 'pages' | 'files' | 'reusableContents'>;

/**
 * Notes on the items of a revision where they stand in the repository, and stores the nodes that are new by that. Nothing else of it changes.
 */
export async function placeContent(base: RevisionRecord, places: Places): Promise<PlacedContent> {
  const [tree, files, reusableContents] = await Promise.all([
    openTree(base.organization, base.pages),
    loadFiles(base),
    loadReusableContents(base),
  ]);
  const edit = tree.edit();
  for (const { page } of [...tree.all()]) {
    const place = places.pages.get(page.id);
    if (page.type !== 'document' || !place || isSamePlace(page.git, place)) continue;
    edit.update(page.id, (item) => (item.type === 'document' ? { ...item, git: place } : item));
  }
  const { root } = await edit.write();
  const { revision } = await prepareChangedRevision(base, {
    type: 'edits',
    parents: [],
    createdBy: base.createdBy,
    pages: root,
    files: placed<FileItem>(files, places.files),
    reusableContents: placed<ReusableContentItem>(reusableContents, places.reusableContents),
  });
  return { pages: revision.pages, files: revision.files, reusableContents: revision.reusableContents };
}

function placed<Item extends FileItem | ReusableContentItem>(items: readonly Item[], places: ExportedPlaces): readonly Item[] {
  return items.map((item) => {
    const git = places.get(item.id);
    return git && !isSamePlace(item.git, git) ? { ...item, git } : item;
  });
}

function isSamePlace(one: { oid: string; path: string } | undefined, other: { oid: string; path: string }): boolean {
  return one?.oid === other.oid && one.path === other.path;
}

/** Where the items of placed content stand: what `placeContent` noted, read again. */
export async function placesOf(content: Pick<RevisionRecord, 'organization'> & PlacedContent): Promise<Places> {
  const [tree, files, reusableContents] = await Promise.all([
    openTree(content.organization, content.pages),
    loadFiles(content),
    loadReusableContents(content),
  ]);
  const ofItems = (items: readonly (FileItem | ReusableContentItem)[]): ExportedPlaces =>
    new Map(items.flatMap(({ id, git }) => (git ? [[id, git] as const] : [])));
  return {
    pages: new Map([...tree.all()].flatMap(({ page }) => (page.type === 'document' && page.git ? [[page.id, page.git] as const] : []))),
    files: ofItems(files),
    reusableContents: ofItems(reusableContents),
  };
}

/**
 * The documents of a revision that was exported, by the oid of the file that each was written as. Their links name ids, and those of the file
 * are paths: a file that comes back as it was written is the document that it was written from.
 */
export async function documentsByOid(revision: RevisionRecord | undefined): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  if (!revision?.git?.createdByDocs) return documents;
  const [tree, reusableContents] = await Promise.all([openTree(revision.organization, revision.pages), loadReusableContents(revision)]);
  for (const { page } of tree.all()) if (page.type === 'document' && page.git && page.document) documents.set(page.git.oid, page.document);
  for (const { git, document } of reusableContents) if (git) documents.set(git.oid, document);
  return documents;
}
