import type { PageItem } from '../../store/items.ts';
import type { NewPlaces } from './newPlaces.ts';
import type { OldPlaces } from './oldPlaces.ts';
import type { Placement } from './placeContent.ts';
import { fileOfPage } from '../../references/contentRoot.ts';

/** What an export moves or takes away: documents that did not change may lead to it. */
export type Moves = {
  any: boolean;
  /** Whether a document may lead to what moved, and so has to be read for it. */
  mayConcern(body: Uint8Array): boolean;
};

/**
 * @param after  where everything is going to be
 * @param root   the content root in the repository
 */
export function findMoves(
  now: OldPlaces,
  { before, after, placement, root }: { before: OldPlaces | undefined; after: NewPlaces; placement: Placement; root: string },
): Moves {
  const places = new Map([...placement.pages, ...placement.files, ...placement.reusableContents]);
  for (const { page } of after.tree.all()) if (page.type === 'document') places.set(page.id, fileOfPage(page, root));
  const gone = new Set<string>();
  let isMoved = hasReturned(now, before);
  const compare = (id: string, path: string | undefined) => {
    if (places.get(id) !== path) isMoved = true;
  };
  for (const { page } of now.tree.all()) {
    // A page that is new is known to nobody by its path; by its id it is found wherever it is.
    const isNew = before !== undefined && !before.tree.page(page.id);
    if (page.type === 'document' && !(isNew && !page.git)) compare(page.id, now.rebased(now.placeOf(page)));
  }
  for (const { id, git } of [...now.content.files, ...now.content.reusableContents])
    if (git) compare(id, now.rebased(git.path) ?? git.path);

  if (before) {
    // The README of the root stands for the first page where no page is that one.
    if (before.tree.pageAtPath('')?.page.id !== now.tree.pageAtPath('')?.page.id) isMoved = true;
    for (const { page } of before.tree.all()) {
      if (!after.tree.page(page.id)) gone.add(page.id);
      else if (page.type === 'document') compare(page.id, before.placeOf(page));
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

/** What is gone was led to by its id, or else is led to by what stays as it is written. */
function namesOneOf(ids: ReadonlySet<string>, body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  for (const [, id = ''] of text.matchAll(/\/(?:pages|files|reusable-contents)\/([A-Za-z0-9_-]+)/g)) if (ids.has(id)) return true;
  return false;
}

/** Whether a page came back that had been there in the past: links to it have waited for it since. */
function hasReturned({ tree }: OldPlaces, before: OldPlaces | undefined): boolean {
  if (!before) return false;
  const timeOf = ({ createdAt, updatedAt }: PageItem) => (createdAt > updatedAt ? createdAt : updatedAt);
  let newest = '';
  for (const { page } of before.tree.all()) if (timeOf(page) > newest) newest = timeOf(page);
  for (const { page } of tree.all()) if (!before.tree.page(page.id) && page.createdAt < newest) return true;
  return false;
}
