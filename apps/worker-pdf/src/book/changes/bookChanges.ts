import {
  diffContent,
  loadPageIndex,
  type ContentDiff,
  type PageChange,
  type PageIndex,
  type ReusableContentItem,
} from '@bindery/content';
import type { BookContent } from '../content/bookContent.ts';

/** An item of the list of changes. `where` names the pages above it. */
export type ChangedItem = { id: string; title: string; where: string };
export type MovedItem = ChangedItem & { from: string };

/** All changes, for the list in front of the changed pages. */
export type ChangeList = {
  pages: { added: ChangedItem[]; changed: ChangedItem[]; moved: MovedItem[]; removed: ChangedItem[] };
  /** Titles of reusable contents, names of files and of variables. */
  others: { kind: string; added: string[]; changed: string[]; removed: string[] }[];
};

export type BookChanges = {
  list: ChangeList;
  /** Ids of the pages to print: new ones, and those whose content, title or description differs. */
  pages: ReadonlyMap<string, 'added' | 'changed'>;
  reusableContents: { before?: ReusableContentItem; after: ReusableContentItem }[];
};

/** Fields that readers of a page see. */
const shownFields = ['document', 'title', 'description', 'emoji', 'cover', 'condition', 'hidden', 'target'];

/** Compares two revisions of a space, for a book of their differences. */
export async function findBookChanges(before: BookContent, after: BookContent): Promise<BookChanges> {
  const [diff, old, now] = await Promise.all([
    diffContent(before.revision, after.revision),
    loadPageIndex(before.revision.organization, before.revision.pages),
    loadPageIndex(after.revision.organization, after.revision.pages),
  ]);
  const pages = new Map<string, 'added' | 'changed'>();
  for (const { id } of now.byId.values().map(({ page }) => page)) {
    const change = diff.pages.get(id);
    if (change?.kind === 'created') pages.set(id, 'added');
    else if (change && isChanged(change)) pages.set(id, 'changed');
  }
  return {
    list: listChanges(diff, { old, now, pages }),
    pages,
    reusableContents: diff.reusableContents.flatMap(({ before: was, after: is }) =>
      is && is.document !== was?.document ? [{ before: was, after: is }] : [],
    ),
  };
}

function isChanged(change: PageChange): boolean {
  return change.kind === 'changed' && shownFields.some((field) => change.fields.has(field));
}

type Compared = { old: PageIndex; now: PageIndex; pages: BookChanges['pages'] };

function listChanges(diff: ContentDiff, { old, now, pages }: Compared): ChangeList {
  const list: ChangeList['pages'] = { added: [], changed: [], moved: [], removed: [] };
  for (const id of now.byId.keys()) {
    const item = itemAt(now, id);
    const kind = pages.get(id);
    if (kind) list[kind].push(item);
    const change = diff.pages.get(id);
    if (change?.kind === 'changed' && change.moved) list.moved.push({ ...item, from: itemAt(old, id).where });
  }
  for (const id of old.byId.keys())
    if (diff.pages.get(id)?.kind === 'deleted') list.removed.push(itemAt(old, id));
  return {
    pages: list,
    others: [
      { kind: 'Reusable contents', ...namesOf(diff.reusableContents, ({ title }) => title) },
      { kind: 'Files', ...namesOf(diff.files, ({ name }) => name) },
      { kind: 'Variables', ...namesOf(diff.variables, ({ name }) => name) },
    ],
  };
}

function itemAt({ byId }: PageIndex, id: string): ChangedItem {
  const found = byId.get(id);
  return {
    id,
    title: found?.page.title ?? '',
    where: (found?.ancestors ?? []).map(({ title }) => title).join(' › '),
  };
}

function namesOf<Item>(
  changes: readonly { before?: Item; after?: Item }[],
  nameOf: (item: Item) => string,
): Omit<ChangeList['others'][number], 'kind'> {
  const names = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  for (const { before, after } of changes) {
    if (after) names[before ? 'changed' : 'added'].push(nameOf(after));
    else if (before) names.removed.push(nameOf(before));
  }
  return names;
}
