import {
  loadFiles,
  loadReusableContents,
  loadTree,
  openTree,
  prepareChangedRevision,
  storeDocuments,
  type FileItem,
  type ReusableContentItem,
  type RevisionContent,
} from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import type { RevisionRecord } from '@bindery/models';
import type { Placed } from '../child/repositoryExport.ts';

/** Everything that a revision holds. */
export async function loadContent(revision: RevisionRecord): Promise<RevisionContent> {
  const [pages, files, reusableContents] = await Promise.all([
    loadTree(revision.organization, revision.pages),
    loadFiles(revision),
    loadReusableContents(revision),
  ]);
  return { pages, files, reusableContents, variables: revision.variables, redirects: revision.redirects };
}

/** Where an item stands in a repository, and the document that its file is, where that is another one: its links are paths there. */
type Place = { git: { oid: string; path: string }; document?: string };

/** Places of pages, files and reusable contents, by id. */
export type Places = Record<'pages' | 'files' | 'reusableContents', ReadonlyMap<string, Place>>;

/** What a revision holds when its items say where they stand: hashes of nodes that are stored. */
export type PlacedContent = Pick<RevisionRecord, 'pages' | 'files' | 'reusableContents'>;

/** What an export found, with the documents that it wrote stored under their hashes. */
export async function storePlaces(organization: string, { places, rewritten }: Placed): Promise<Places> {
  await storeDocuments(
    organization,
    [...rewritten.values()].map(({ document, bytes }) => ({ hash: document, source: splitFrontmatter(bytes) })),
  );
  const placesOf = (found: Placed['places']['pages']) =>
    new Map(
      Array.from(found, ([id, git]): [string, Place] => {
        const document = rewritten.get(id)?.document;
        return [id, { git, ...(document !== undefined && { document }) }];
      }),
    );
  return { pages: placesOf(places.pages), files: placesOf(places.files), reusableContents: placesOf(places.reusableContents) };
}

/** Notes on the items of a revision where they stand in the repository, and stores the nodes that are new by that. */
export async function placeContent(base: RevisionRecord, places: Places): Promise<PlacedContent> {
  const [tree, files, reusableContents] = await Promise.all([
    openTree(base.organization, base.pages),
    loadFiles(base),
    loadReusableContents(base),
  ]);
  const edit = tree.edit();
  for (const { page } of [...tree.all()]) {
    const place = places.pages.get(page.id);
    if (page.type === 'document' && place && !isAt(page, place)) edit.update(page.id, (item) => ({ ...item, ...place }));
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

function placed<Item extends FileItem | ReusableContentItem>(items: readonly Item[], places: Places['files']): readonly Item[] {
  return items.map((item) => {
    const place = places.get(item.id);
    return place && !isAt(item, place) ? { ...item, ...place } : item;
  });
}

function isAt(item: { git?: Place['git']; document?: string }, { git, document }: Place): boolean {
  return item.git?.oid === git.oid && item.git.path === git.path && (document === undefined || item.document === document);
}

/**
 * The places that an export gave to what another revision of the space still has: what was edited since keeps its own document, and with it the
 * place that its links are seen from.
 *
 * @param placed  the exported revision as `placeContent` made it
 */
export async function placesFor(
  current: RevisionRecord,
  { exported, placed }: { exported: RevisionRecord; placed: PlacedContent },
): Promise<Places> {
  const after = { organization: exported.organization, ...placed };
  const [pages, files, reusableContents] = await Promise.all([
    Promise.all([exported, after, current].map(async ({ organization, pages: root }) => documentsIn(await openTree(organization, root)))),
    Promise.all([exported, after, current].map(loadFiles)),
    Promise.all([exported, after, current].map(loadReusableContents)),
  ]);
  return { pages: carried(pages), files: carried(files), reusableContents: carried(reusableContents) };
}

type Item = { id: string; git?: Place['git']; document?: string };

function documentsIn(tree: Awaited<ReturnType<typeof openTree>>): Item[] {
  return [...tree.all()].flatMap(({ page }) => (page.type === 'document' ? [page] : []));
}

function carried([exported = [], placedItems = [], current = []]: readonly (readonly Item[])[]): Map<string, Place> {
  const before = new Map(exported.map((item) => [item.id, item]));
  const after = new Map(placedItems.map((item) => [item.id, item]));
  const places = new Map<string, Place>();
  for (const { id, document } of current) {
    const git = after.get(id)?.git;
    const written = after.get(id)?.document;
    if (!git) continue;
    if (written === before.get(id)?.document) places.set(id, { git });
    else if (document === before.get(id)?.document) places.set(id, { git, ...(written !== undefined && { document: written }) });
  }
  return places;
}
