import type { RevisionRecord } from '@bindery/models';
import type { PageFields } from '@bindery/dialect/repository-format';
import { openTree } from '../tree/contentTree.ts';
import type { DocumentPage, PageItem } from './items.ts';
import { storedFields } from './storedFields.ts';

/**
 * Updates pages of a revision to the new content of their files. Ids, positions, covers and creation times
 * stay; all other pages are unchanged.
 *
 * @param pages       by the paths of their files, each of which belongs to a page of the revision
 * @param documentOf  returns the hash under which the source of a blob is stored
 * @param changedAt   ISO 8601
 * @returns root of the new tree, and the number of new nodes
 */
export async function changePages(
  { organization, pages: root }: Pick<RevisionRecord, 'organization' | 'pages'>,
  {
    pages,
    documentOf,
    changedAt,
  }: { pages: readonly PageFields[]; documentOf(oid: string): string; changedAt: string },
): Promise<{ root: string; nodesWritten: number }> {
  if (pages.length === 0) return { root, nodesWritten: 0 };
  const edit = (await openTree(organization, root)).edit();
  for (const page of pages) {
    const found = edit.pageOfFile(page.git.path)?.page;
    if (found?.type !== 'document')
      throw new Error('A page of the repository is not in the revision that was made of it.');
    edit.update(found.id, (item) => changed(item as DocumentPage, page));
  }
  return edit.write();

  function changed(
    { type, id, slug, path, filePath, oldPaths, cover, children, createdAt }: DocumentPage,
    page: PageFields,
  ): PageItem {
    return {
      type,
      id,
      slug,
      path,
      filePath,
      oldPaths,
      ...storedFields(page),
      cover,
      git: page.git,
      document: documentOf(page.git.oid),
      children,
      createdAt,
      updatedAt: changedAt,
    };
  }
}
