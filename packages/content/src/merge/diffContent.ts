import type { RevisionRecord } from '@bindery/models';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import { loadFiles, loadReusableContents } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import { diffTrees, isSame, type TreeDiff } from './diffTrees.ts';

/** The changes of a list; an entry without `before` is new, one without `after` was removed. */
export type ListDiff<Item> = { before?: Item; after?: Item }[];

export type ContentDiff = {
  pages: TreeDiff;
  files: ListDiff<FileItem>;
  reusableContents: ListDiff<ReusableContentItem>;
  variables: ListDiff<RevisionRecord['variables'][number]>;
};

/** Compares two revisions, reading only the parts that differ. Without `a`, all of `b` is new. */
export async function diffContent(a: RevisionRecord | undefined, b: RevisionRecord): Promise<ContentDiff> {
  const { organization } = b;
  const [before, after, files, reusableContents] = await Promise.all([
    a && openTree(a.organization, a.pages),
    openTree(organization, b.pages),
    a?.files === b.files ? none : Promise.all([a ? loadFiles(a) : [], loadFiles(b)]),
    a?.reusableContents === b.reusableContents
      ? none
      : Promise.all([a ? loadReusableContents(a) : [], loadReusableContents(b)]),
  ]);
  return {
    pages: diffTrees(before, after),
    files: diffLists(files, ({ id }) => id),
    reusableContents: diffLists(reusableContents, ({ id }) => id),
    variables: diffLists([a?.variables ?? [], b.variables], ({ name }) => name),
  };
}

const none: [never[], never[]] = [[], []];

function diffLists<Item>(
  [before, after]: [readonly Item[], readonly Item[]],
  keyOf: (item: Item) => string,
): ListDiff<Item> {
  const old = new Map(before.map((item) => [keyOf(item), item]));
  const changed = after.flatMap((item): ListDiff<Item> => {
    const key = keyOf(item);
    const previous = old.get(key);
    old.delete(key);
    if (previous === undefined) return [{ after: item }];
    return isSame(previous, item) ? [] : [{ before: previous, after: item }];
  });
  return [...changed, ...[...old.values()].map((item) => ({ before: item }))];
}
