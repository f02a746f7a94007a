import { diffContent, isSame, openTree, type PageChange } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';

const maxNamed = 100;

/** Pages of the space that an import removed; `revision` still has them. */
export type Replaced = { revision: string; pages: { id: string; title: string }[]; total: number };

/**
 * Finds the pages that were changed in the space since it was last in sync with git, and that the imported
 * revision has differently: an import does not merge, the repository wins.
 *
 * @param synced  the revision last in sync; absent for a space that never was, whose pages are all its own
 * @returns undefined when nothing was lost
 */
export async function findReplaced({
  synced,
  current,
  next,
}: {
  synced: RevisionRecord | undefined;
  current: RevisionRecord;
  next: RevisionRecord;
}): Promise<Replaced | undefined> {
  if (synced?.pages === current.pages) return undefined;
  const [{ pages: changes }, after] = await Promise.all([
    diffContent(synced, current),
    openTree(next.organization, next.pages),
  ]);
  const lost = [...changes.values()].filter((change) => isLost(change, after.page(change.id)?.page));
  // Every new space has an initial page, which is no user's work.
  const isUntouched = current.parents.length === 0 && changes.size <= 1;
  if (lost.length === 0 || isUntouched) return undefined;
  const pages = lost.slice(0, maxNamed).map((change) => ({ id: change.id, title: titleOf(change) }));
  return { revision: current._id, pages, total: lost.length };
}

type Page = Extract<PageChange, { kind: 'created' }>['after']['page'];

function isLost(change: PageChange, now: Page | undefined): boolean {
  if (change.kind === 'deleted') return now !== undefined;
  return now === undefined || !isSame(ownPart(change.after.page), ownPart(now));
}

/** The content of the page. Its place in a repository and the times of its changes are not content. */
function ownPart(page: Page): object {
  return { ...page, git: undefined, createdAt: undefined, updatedAt: undefined, children: undefined };
}

function titleOf(change: PageChange): string {
  return change.kind === 'deleted' ? change.before.page.title : change.after.page.title;
}
