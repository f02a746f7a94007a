import { contentLimits } from '@bindery/dialect/repository-format';
import type { RevisionRecord } from '@bindery/models';
import type { PageTree } from '../store/items.ts';
import { prepareChangedRevision, type RevisionContent } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import { freeSlug, repath } from '../tree/pagePaths.ts';
import type { TreeEdit } from '../tree/treeEdit.ts';

/**
 * Adds to a revision everything of an earlier content that it lacks: pages below the page that they were
 * below and behind the sibling that they were behind, files, reusable contents, variables and redirects. What
 * both have stays as the revision has it.
 *
 * @returns the revision itself if it lacks nothing
 */
export async function keepMissing(
  revision: RevisionRecord,
  before: RevisionContent,
  now: RevisionContent,
): Promise<RevisionRecord> {
  const edit = (await openTree(revision.organization, revision.pages)).edit();
  const kept = insertMissing(edit, before.pages, null);
  const files = withMissing(now.files, before.files, ({ id }) => id);
  const reusableContents = withMissing(now.reusableContents, before.reusableContents, ({ id }) => id);
  const variables = withMissing(now.variables, before.variables, ({ name }) => name);
  const redirects = withMissing(now.redirects, before.redirects, ({ from }) => from);
  const isWhole =
    kept === 0 &&
    files === now.files &&
    reusableContents === now.reusableContents &&
    variables === now.variables &&
    redirects === now.redirects;
  if (isWhole) return revision;
  const { root } = await edit.write();
  const { type, parents, createdBy } = revision;
  const changed = { type, parents, createdBy, pages: root, files, reusableContents, variables, redirects };
  return (await prepareChangedRevision(revision, changed)).revision;
}

/** @returns the number of inserted pages */
function insertMissing(edit: TreeEdit, pages: readonly PageTree[], into: string | null): number {
  let inserted = 0;
  let previous: string | undefined;
  for (const page of pages) {
    if (!edit.page(page.id)) {
      insert(edit, page, { into, behind: previous });
      inserted += 1;
    }
    previous = page.id;
    if ('pages' in page) inserted += insertMissing(edit, page.pages, page.id);
  }
  return inserted;
}

function insert(
  edit: TreeEdit,
  page: PageTree,
  { into: wanted, behind }: { into: string | null; behind: string | undefined },
): void {
  const into = wanted !== null && mayHaveMore(edit, wanted) ? wanted : null;
  const sibling = edit.list(into).findIndex(({ id }) => id === behind);
  const at = sibling === -1 ? undefined : sibling + 1;
  const own = 'slug' in page ? { ...page, slug: freeSlug(edit, page.slug, { into }) } : page;
  edit.insert('pages' in own ? { ...own, pages: [] } : own, { into, at });
  repath(edit, page.id);
}

function mayHaveMore(edit: TreeEdit, id: string): boolean {
  const above = edit.page(id);
  const isParent = above?.page.type === 'document' || above?.page.type === 'group';
  return isParent && above.ancestors.length + 2 <= contentLimits.pageDepth;
}

/** @returns the list itself if it lacks nothing */
function withMissing<Item>(now: Item[], before: Item[], keyOf: (item: Item) => string): Item[] {
  const keys = new Set(now.map(keyOf));
  const missing = before.filter((item) => !keys.has(keyOf(item)));
  return missing.length === 0 ? now : [...now, ...missing];
}
