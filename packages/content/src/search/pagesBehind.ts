import {
  Revision,
  Space,
  type RevisionRecord,
  type SpaceIndexRecord,
  type SpaceRecord,
} from '@bindery/models';
import { LRUCache } from 'lru-cache';
import { changedPages } from './changedPages.ts';

type Indexed = Pick<SpaceIndexRecord, '_id' | 'revision' | 'root' | 'begun'>;

/** Keyed by two trees, which never change. */
const known = new LRUCache<string, ReadonlySet<string>>({
  maxSize: 500_000,
  sizeCalculation: (pages) => 10 + pages.size,
});

/**
 * Finds, for each space whose index is outdated, the pages that may differ from its main content. Until the
 * index is updated, it cannot tell whether a visitor may read them. A space that was never indexed completely
 * is omitted from `spaces`.
 */
export async function pagesBehind(
  indexes: readonly Indexed[],
): Promise<{ spaces: ReadonlySet<string>; behind: Map<string, Set<string>> }> {
  const found = await Space.find(
    { _id: { $in: indexes.map(({ _id }) => _id) } },
    { organization: 1, revision: 1 },
  ).lean<SpaceRecord[]>();
  const spaces = new Map(found.map((space) => [space._id, space]));
  const late = indexes.filter(({ _id, revision }) => revision !== spaces.get(_id)?.revision);
  const revisions = await Revision.find({
    _id: { $in: late.flatMap(({ _id }) => spaces.get(_id)?.revision ?? []) },
  }).lean<RevisionRecord[]>();
  const mainOf = new Map(revisions.map((revision) => [revision.space, revision]));
  const behind = new Map<string, Set<string>>();
  for (const { _id, root, begun } of late) {
    const main = mainOf.get(_id);
    if (!main || root === undefined) {
      spaces.delete(_id);
      continue;
    }
    const pages = new Set<string>();
    for (const from of new Set([root, ...begun]))
      for (const page of await differing(main.organization, from, main.pages)) pages.add(page);
    behind.set(_id, pages);
  }
  return { spaces: new Set(spaces.keys()), behind };
}

async function differing(organization: string, from: string, to: string): Promise<ReadonlySet<string>> {
  const key = `${organization} ${from} ${to}`;
  const before = known.get(key);
  if (before) return before;
  const { changed, removed } = await changedPages(organization, { from, to });
  const pages = new Set([...changed.map(({ page }) => page.id), ...removed]);
  known.set(key, pages);
  return pages;
}
