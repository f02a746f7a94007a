import { JobError } from '@bindery/contract/jobErrors';
import type { RevisionRecord } from '@bindery/models';
import { loadFiles, loadReusableContents, prepareChangedRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import { settleTreePaths } from '../tree/treePaths.ts';
import { placePage, uniqueSlugs, type NewContent } from './newPage.ts';

export type NewAddition = NewContent & {
  /** The parent of the added pages, which go after its children; absent for the root. */
  into?: string | undefined;
  createdBy: string;
};

/**
 * Prepares a revision that adds pages to another one, after their new siblings. Stores its nodes under their
 * hashes; no reader sees them yet. The cost grows with the added pages and their siblings, not with the
 * space.
 *
 * @throws JobError `bad_content` when the parent page is missing; `limit` for more siblings than can be
 *   stored
 */
export async function prepareAddition(
  base: RevisionRecord,
  { pages, files, reusableContents, into: page, createdBy }: NewAddition,
): Promise<RevisionRecord> {
  const into = page ?? null;
  const tree = await openTree(base.organization, base.pages);
  const edit = tree.edit();
  if (!tree.hasTreePaths()) settleTreePaths(edit);
  const above = into === null ? undefined : edit.page(into)?.page;
  if (into !== null && !(above && 'path' in above))
    throw new JobError('bad_content', 'The parent page of the imported content no longer exists.');
  const path = above && 'path' in above ? above.path : '';
  const siblings = new Set(edit.list(into).flatMap((one) => ('slug' in one ? [one.slug] : [])));
  const slugOf = uniqueSlugs((slug) => siblings.has(slug));
  const time = new Date().toISOString();
  for (const one of pages) edit.insert(placePage(one, { path, slugOf, time }, into !== null), { into });
  const { root } = await edit.write();
  const { revision } = await prepareChangedRevision(base, {
    type: 'edits',
    parents: [base._id],
    createdBy,
    pages: root,
    files: files.length > 0 ? [...(await loadFiles(base)), ...files] : undefined,
    reusableContents:
      reusableContents.length > 0 ? [...(await loadReusableContents(base)), ...reusableContents] : undefined,
  });
  return revision;
}
