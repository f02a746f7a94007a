import {
  loadFiles,
  loadReusableContents,
  loadTrees,
  openTree,
  prepareChangedRevision,
  storeDocuments,
  type ContentOfRevision,
  type FileItem,
  type ReusableContentItem,
  type RevisionContent,
} from '@bindery/content';
import { splitFrontmatter } from '@bindery/dialect/frontmatter';
import type { RevisionRecord } from '@bindery/models';
import { compact } from '@bindery/runtime';
import type { Placed } from '../child/repositoryExport.ts';

/** Loads the whole content of a revision. */
export async function loadContent(revision: ContentOfRevision): Promise<RevisionContent> {
  return (await loadContents(revision.organization, [revision]))[0]!;
}

/**
 * Loads the whole content of revisions of a space. Pages that they share are the same in memory, so that they
 * are sent and compared once.
 */
export async function loadContents(
  organization: string,
  revisions: readonly ContentOfRevision[],
): Promise<RevisionContent[]> {
  const trees = loadTrees(
    organization,
    revisions.map(({ pages }) => pages),
  );
  return Promise.all(
    revisions.map(async (revision, index): Promise<RevisionContent> => {
      const [pages, files, reusableContents] = await Promise.all([
        trees.then((loaded) => loaded[index]!),
        loadFiles(revision),
        loadReusableContents(revision),
      ]);
      const { variables, redirects } = revision;
      return { pages, files, reusableContents, variables, redirects };
    }),
  );
}

/**
 * The place of an item in a repository, and the document of its file if it is another one, because its links
 * are paths there.
 */
type GitLocation = { git: { oid: string; path: string }; document?: string };

/** Locations of pages, files and reusable contents, by id. */
export type GitLocations = Record<'pages' | 'files' | 'reusableContents', ReadonlyMap<string, GitLocation>>;

/** The content of a revision whose items have their places: hashes of stored nodes. */
export type PlacedContent = Pick<RevisionRecord, 'pages' | 'files' | 'reusableContents'>;

/** Stores the documents that an export rewrote, under their hashes, and returns the locations. */
export async function storeLocations(
  organization: string,
  { places: locations, rewritten }: Placed,
): Promise<GitLocations> {
  await storeDocuments(
    organization,
    [...rewritten.values()].map(({ document, bytes }) => ({
      hash: document,
      source: splitFrontmatter(bytes),
    })),
  );
  const locationsOf = (found: Placed['places']['pages']) =>
    new Map(
      Array.from(found, ([id, git]): [string, GitLocation] => [
        id,
        compact({ git, document: rewritten.get(id)?.document }),
      ]),
    );
  return {
    pages: locationsOf(locations.pages),
    files: locationsOf(locations.files),
    reusableContents: locationsOf(locations.reusableContents),
  };
}

/** Adds the places in the repository to the items of a revision, and stores the new nodes. */
export async function placeContent(base: ContentOfRevision, locations: GitLocations): Promise<PlacedContent> {
  const [tree, files, reusableContents] = await Promise.all([
    openTree(base.organization, base.pages),
    loadFiles(base),
    loadReusableContents(base),
  ]);
  const edit = tree.edit();
  for (const { page } of [...tree.all()]) {
    const location = locations.pages.get(page.id);
    if (page.type === 'document' && location && !isAt(page, location))
      edit.update(page.id, (item) => ({ ...item, ...location }));
  }
  const { root } = await edit.write();
  const { revision } = await prepareChangedRevision(base, {
    type: 'edits',
    parents: [],
    createdBy: '',
    pages: root,
    files: placed<FileItem>(files, locations.files),
    reusableContents: placed<ReusableContentItem>(reusableContents, locations.reusableContents),
  });
  return { pages: revision.pages, files: revision.files, reusableContents: revision.reusableContents };
}

function placed<Item extends FileItem | ReusableContentItem>(
  items: readonly Item[],
  locations: GitLocations['files'],
): readonly Item[] {
  return items.map((item) => {
    const location = locations.get(item.id);
    return location && !isAt(item, location) ? { ...item, ...location } : item;
  });
}

function isAt(
  item: { git?: GitLocation['git']; document?: string },
  { git, document }: GitLocation,
): boolean {
  return (
    item.git?.oid === git.oid &&
    item.git.path === git.path &&
    (document === undefined || item.document === document)
  );
}

/**
 * Finds the locations that an export gave to items that another revision of the space still has. An item
 * edited since then keeps its own document, and with it the location from which its links are resolved.
 *
 * @param placed  the exported revision as returned by `placeContent`
 */
export async function locationsFor(
  current: RevisionRecord,
  { exported, placed }: { exported: RevisionRecord; placed: PlacedContent },
): Promise<GitLocations> {
  const after = { organization: exported.organization, ...placed };
  const [pages, files, reusableContents] = await Promise.all([
    Promise.all(
      [exported, after, current].map(async ({ organization, pages: root }) =>
        documentsIn(await openTree(organization, root)),
      ),
    ),
    Promise.all([exported, after, current].map(loadFiles)),
    Promise.all([exported, after, current].map(loadReusableContents)),
  ]);
  return { pages: carried(pages), files: carried(files), reusableContents: carried(reusableContents) };
}

type Item = { id: string; git?: GitLocation['git']; document?: string };

function documentsIn(tree: Awaited<ReturnType<typeof openTree>>): Item[] {
  return [...tree.all()].flatMap(({ page }) => (page.type === 'document' ? [page] : []));
}

function carried([exported = [], placedItems = [], current = []]: readonly (readonly Item[])[]): Map<
  string,
  GitLocation
> {
  const before = new Map(exported.map((item) => [item.id, item]));
  const after = new Map(placedItems.map((item) => [item.id, item]));
  const locations = new Map<string, GitLocation>();
  for (const { id, document } of current) {
    const git = after.get(id)?.git;
    const written = after.get(id)?.document;
    if (!git) continue;
    if (written === before.get(id)?.document) locations.set(id, { git });
    else if (document === before.get(id)?.document) locations.set(id, compact({ git, document: written }));
  }
  return locations;
}
