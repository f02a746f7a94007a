import type { RevertPage } from '@bindery/contract';
import { revertBlocksOnThread } from '../parser-threads/pagesOnThread.ts';
import { findRevision } from '../store/revisions.ts';
import { openTree, type ContentTree } from '../tree/contentTree.ts';
import type { LocatedPage } from '../tree/pageLookup.ts';
import { idsOf } from './deletePage.ts';
import type { Draft } from './draft.ts';
import { setSource } from './pageText.ts';
import { moveBack, resetPaths, restorePage } from './restorePage.ts';
import { refused } from './refuse.ts';
import { markChanged } from './updatePage.ts';
import { freeSlug, repath } from '../tree/pagePaths.ts';

/**
 * Reverts a page to another revision of the space: an added page is removed, a deleted page is restored to
 * its old position, a changed or moved page gets its old state; with `block`, only these blocks of its text
 * are reverted.
 *
 * @throws invalid_request
 */
export async function revertPage(
  draft: Draft,
  given: RevertPage,
  { change, revertTo }: { change: number; revertTo: string },
): Promise<void> {
  const { organization, space } = draft.base;
  const revision = await findRevision(space, given.revision ?? revertTo);
  if (!revision) throw refused(change, 'revision', 'must be the id of a revision of this space.');
  const old = await openTree(organization, revision.pages);
  const was = old.page(given.page);
  const is = draft.edit.page(given.page);
  if (!was && !is)
    throw refused(change, 'page', 'must be the id of a page of this content or of the revision.');
  if (given.block) return takeBackBlocks(draft, given.block, { was, is, change });
  if (!was) removeAdded(draft, is as LocatedPage, old);
  else if (!is) restorePage(draft, was, old);
  else reset(draft, { was, is, old });
  draft.touched.add(given.page);
}

async function takeBackBlocks(
  draft: Draft,
  keys: readonly string[],
  { was, is, change }: { was: LocatedPage | undefined; is: LocatedPage | undefined; change: number },
): Promise<void> {
  if (was?.page.type !== 'document' || is?.page.type !== 'document')
    throw refused(
      change,
      'block',
      'must not be given: the page is a document in only one of the two revisions.',
    );
  const [before, now] = await Promise.all([draft.sources.of(was.page), draft.sources.of(is.page)]);
  const none = { frontmatter: new Uint8Array(), body: new Uint8Array() };
  const reverted = await revertBlocksOnThread(
    {
      before: { source: before ?? none, title: was.page.title },
      now: { source: now ?? none, title: is.page.title },
      keys,
    },
    draft.base.organization,
  );
  if (!reverted)
    throw refused(change, 'block', 'must not be given for this page: it takes too long to read.');
  if ('problem' in reverted) throw refused(change, 'block', reverted.problem);
  if (now || reverted.source.body.length > 0) setSource(draft, is.page.id, reverted.source);
  markChanged(draft, is.page);
  draft.touched.add(is.page.id);
}

/** Moves older pages below the removed page to its position. */
function removeAdded({ edit, touched }: Draft, added: LocatedPage, old: ContentTree): void {
  const into = added.parent?.id ?? null;
  let at = added.index;
  const rescue = (parent: string) => {
    for (const page of edit.list(parent)) {
      if (!old.page(page.id)) {
        rescue(page.id);
        continue;
      }
      edit.move(page.id, { into, at });
      if ('slug' in page) {
        const slug = freeSlug(edit, page.slug, { into, except: page.id });
        edit.update(page.id, (item) => ('slug' in item ? { ...item, slug } : item));
        repath(edit, page.id);
      }
      touched.add(page.id);
      at += 1;
    }
  };
  rescue(added.page.id);
  for (const id of idsOf(edit.subtree(added.page.id))) touched.add(id);
  edit.remove(added.page.id);
}

function reset(
  draft: Draft,
  { was, is, old }: { was: LocatedPage; is: LocatedPage; old: ContentTree },
): void {
  const { edit } = draft;
  const { id } = is.page;
  moveBack(draft, was, old);
  edit.update(id, () => was.page);
  // The text from the batch is gone, so its links need no settling.
  draft.written.delete(id);
  resetPaths(draft, id);
}
