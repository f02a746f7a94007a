import type { PageItem } from '../../store/items.ts';
import type { ResultLayout } from './resultLayout.ts';
import type { SourceLayout } from './sourceLayout.ts';
import type { Placement } from './placeContent.ts';
import { fileOfPage } from '../../references/contentRoot.ts';

/** The objects that an export moves or removes: unchanged documents may link to them. */
export type Moves = {
  any: boolean;
  /** Tells whether a document may link to a moved object, and so has to be read. */
  mayConcern(body: Uint8Array): boolean;
};

/** Nothing is moved or removed. */
export const noMoves: Moves = { any: false, mayConcern: () => false };

/**
 * @param after  the git locations after the export
 *
 * @param root   the content root in the repository
 */
export function findMoves(
  now: SourceLayout,
  {
    before,
    after,
    placement,
    root,
  }: { before: SourceLayout | undefined; after: ResultLayout; placement: Placement; root: string },
): Moves {
  const places = new Map([...placement.pages, ...placement.files, ...placement.reusableContents]);
  for (const { page } of after.tree.all())
    if (page.type === 'document') places.set(page.id, fileOfPage(page, root));
  const gone = new Set<string>();
  let isMoved = hasReturned(now, before);
  const compare = (id: string, path: string | undefined) => {
    if (places.get(id) !== path) isMoved = true;
  };
  for (const { page } of now.tree.all()) {
    // No link uses the path of a new page; links by id find it anywhere.
    const isNew = before !== undefined && !before.tree.page(page.id);
    if (page.type === 'document' && !(isNew && !page.git)) compare(page.id, now.rebased(now.fileOf(page)));
  }
  for (const { id, git } of [...now.content.files, ...now.content.reusableContents])
    if (git) compare(id, now.rebased(git.path) ?? git.path);

  if (before) {
    // The README of the root represents the landing page when no page has its path.
    if (before.tree.pageAtPath('')?.page.id !== now.tree.pageAtPath('')?.page.id) isMoved = true;
    for (const { page } of before.tree.all()) {
      if (!after.tree.page(page.id)) gone.add(page.id);
      else if (page.type === 'document') compare(page.id, before.fileOf(page));
    }
    for (const { id, git } of [...before.content.files, ...before.content.reusableContents]) {
      if (!places.has(id)) gone.add(id);
      else if (git) compare(id, git.path);
    }
  }
  return {
    any: isMoved || gone.size > 0,
    mayConcern: (body) => isMoved || namesOneOf(gone, body),
  };
}

/**
 * Tells whether a document links to one of these removed objects by id. Other links to them stay as written.
 */
function namesOneOf(ids: ReadonlySet<string>, body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  for (const [, id = ''] of text.matchAll(/\/(?:pages|files|reusable-contents)\/([A-Za-z0-9_-]+)/g))
    if (ids.has(id)) return true;
  return false;
}

/** Tells whether an earlier page was restored: links to it may exist already. */
function hasReturned({ tree }: SourceLayout, before: SourceLayout | undefined): boolean {
  if (!before) return false;
  const timeOf = ({ createdAt, updatedAt }: PageItem) => (createdAt > updatedAt ? createdAt : updatedAt);
  let newest = '';
  for (const { page } of before.tree.all()) if (timeOf(page) > newest) newest = timeOf(page);
  for (const { page } of tree.all()) if (!before.tree.page(page.id) && page.createdAt < newest) return true;
  return false;
}
