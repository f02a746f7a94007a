import type { GitChangedReusableContent, GitImportChanges } from '@bindery/contract';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import type { ChangedSource } from './comparePages.ts';

type Files = GitImportChanges['files'];
type Contents = GitImportChanges['reusableContents'];

/** Pairs the items of both sides by id; an item on one side only has no partner. */
function pair<Item extends { id: string }>(before: readonly Item[], after: readonly Item[]) {
  const old = new Map(before.map((item) => [item.id, item]));
  const kept: { before: Item; after: Item }[] = [];
  const added: Item[] = [];
  for (const item of after) {
    const previous = old.get(item.id);
    if (previous) kept.push({ before: previous, after: item });
    else added.push(item);
    old.delete(item.id);
  }
  return { kept, added, removed: [...old.values()] };
}

/** Compares the files of a space by id. */
export function compareFiles(before: readonly FileItem[], after: readonly FileItem[]): Files {
  const { kept, added, removed } = pair(before, after);
  const entryOf = ({ id, name, git, sizeBytes }: FileItem) => ({
    id,
    name,
    path: git?.path,
    sizeBytes,
  });
  return {
    added: added.map((file) => withoutId(entryOf(file))),
    removed: removed.map(entryOf),
    changed: kept
      .filter((file) => file.before.blob !== file.after.blob)
      .map((file) => ({ ...entryOf(file.after), previous: { sizeBytes: file.before.sizeBytes } })),
    moved: kept
      .filter((file) => file.before.name !== file.after.name || hasOtherPath(file))
      .map((file) => {
        const { name, path } = entryOf(file.before);
        return { ...entryOf(file.after), previous: { name, path } };
      }),
  };
}

export type ContentChanges = Pick<Contents, 'added' | 'removed' | 'moved'> & {
  changed: { entry: GitChangedReusableContent; source?: ChangedSource }[];
};

/** Compares the reusable contents of a space by id. */
export function compareReusableContents(
  before: readonly ReusableContentItem[],
  after: readonly ReusableContentItem[],
): ContentChanges {
  const { kept, added, removed } = pair(before, after);
  const entryOf = ({ id, title, git }: ReusableContentItem) => ({
    id,
    title,
    file: git?.path,
  });
  return {
    added: added.map((content) => withoutId(entryOf(content))),
    removed: removed.map(entryOf),
    changed: kept.flatMap((content) => {
      const isOther = content.before.document !== content.after.document;
      const fields = [
        ...(isOther ? ['document'] : []),
        ...(content.before.title === content.after.title ? [] : ['title']),
      ];
      if (fields.length === 0) return [];
      const entry = { ...entryOf(content.after), fields };
      return [
        isOther
          ? { entry, source: { before: content.before.document, after: content.after.document } }
          : { entry },
      ];
    }),
    moved: kept.filter(hasOtherPath).map((content) => {
      const { file } = entryOf(content.before);
      return { ...entryOf(content.after), previous: { file } };
    }),
  };
}

type Placed = Pick<FileItem, 'git'>;

function hasOtherPath({ before, after }: { before: Placed; after: Placed }): boolean {
  return before.git !== undefined && after.git !== undefined && before.git.path !== after.git.path;
}

function withoutId<Entry extends { id: string }>(entry: Entry): Omit<Entry, 'id'> {
  const { id: _, ...rest } = entry;
  return rest;
}

/** Compares named values. */
export function compareValues<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): { key: string; before?: Value; after?: Value }[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    return old === now ? [] : [{ key, before: old, after: now }];
  });
}
