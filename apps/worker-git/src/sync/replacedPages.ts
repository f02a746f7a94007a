import { diffContent, isSame, openTree, type PageChange } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';

const maxNamed = 100;

/** What a space had of its own and an import took away; `revision` is the one that still holds it. */
export type Replaced = { revision: string; pages: { id: string; title: string }[]; total: number };

/**
 * Finds the pages that were changed in the space since it was last in sync with git, and that the imported revision holds differently: an import
 * merges into nothing, the repository wins.
 *
 * @param synced  the revision that was last in sync; absent for a space that was not, of which everything is its own
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
  const [{ pages: changes }, after] = await Promise.all([diffContent(synced, current), openTree(next.organization, next.pages)]);
  const lost = [...changes.values()].filter((change) => isLost(change, after.page(change.id)?.page));
  // The page that a space comes with is nobody's work.
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

/** What a reader sees of the page. Where it stands in a repository, and when it changed, are no content. */
function ownPart(page: Page): object {
  return { ...page, git: undefined, createdAt: undefined, updatedAt: undefined, children: undefined };
}

function titleOf(change: PageChange): string {
  return change.kind === 'deleted' ? change.before.page.title : change.after.page.title;
}
