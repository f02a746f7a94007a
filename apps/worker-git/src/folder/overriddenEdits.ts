import { diffContent, isSame, type ContentDiff, type ListDiff, type PageChange } from '@bindery/content';
import type { FolderConflict } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';

type States = Record<'since' | 'edited' | 'next', RevisionRecord>;

/** Fields of pages and files that imports write, and no person. */
const own = new Set(['git', 'updatedAt', 'filePath', 'oldPaths']);

/**
 * Finds the edits between two revisions of a space that a third one, made from the second, does not have.
 * Whether the third one has the state before the edit or another one makes no difference.
 *
 * @param states.since  the content that the author of `next` knew
 * @returns each edited thing once, by its key
 */
export async function findOverriddenEdits({
  since,
  edited,
  next,
}: States): Promise<Map<string, FolderConflict>> {
  if (since._id === edited._id || edited._id === next._id) return new Map();
  const [edits, overrides] = await Promise.all([diffContent(since, edited), diffContent(edited, next)]);
  return new Map([
    ...overriddenPages(edits, overrides),
    ...inBoth(edits.files, overrides.files, ({ id, name }) => ({ type: 'file', id, title: name })),
    ...inBoth(edits.reusableContents, overrides.reusableContents, ({ id, title }) => ({
      type: 'reusable-content',
      id,
      title,
    })),
    ...inBoth(edits.variables, overrides.variables, ({ name }) => ({
      type: 'variable',
      id: name,
      title: name,
    })),
    ...inBoth(diffRedirects(since, edited), diffRedirects(edited, next), ({ from }) => ({
      type: 'redirect',
      id: from,
      title: from,
    })),
  ]);
}

/** The key of a thing that several comparisons may name. */
export function keyOf({ type, id }: Pick<FolderConflict, 'type' | 'id'>): string {
  return `${type} ${id}`;
}

function overriddenPages(edits: ContentDiff, overrides: ContentDiff): [string, FolderConflict][] {
  // A page that somebody deleted comes back as another page at its path.
  const created = new Set(
    [...overrides.pages.values()].flatMap((change) =>
      change.kind === 'created' && 'path' in change.after.page ? [change.after.page.path] : [],
    ),
  );
  return [...edits.pages.values()].flatMap((edit): [string, FolderConflict][] => {
    const { page } = edit.kind === 'deleted' ? edit.before : edit.after;
    const path = 'path' in page ? page.path : undefined;
    const override = overrides.pages.get(edit.id);
    const isBack = edit.kind === 'deleted' && path !== undefined && created.has(path);
    if (!isBack && !(override && isOverridden(edit, override))) return [];
    const named = { type: 'page' as const, id: edit.id, title: page.title, path };
    return [[keyOf(named), named]];
  });
}

function isOverridden(edit: PageChange, override: PageChange): boolean {
  if (override.kind === 'deleted' || edit.kind !== 'changed' || override.kind !== 'changed')
    return fieldsOf(edit).size > 0 && fieldsOf(override).size > 0;
  return fieldsOf(edit).intersection(fieldsOf(override)).size > 0;
}

function fieldsOf(change: PageChange): Set<string> {
  if (change.kind !== 'changed') return new Set([change.kind]);
  return new Set([...change.fields].filter((name) => !own.has(name))).union(
    new Set(change.moved === undefined ? [] : ['position']),
  );
}

function inBoth<Item>(
  edits: ListDiff<Item>,
  overrides: ListDiff<Item>,
  name: (item: Item) => FolderConflict,
): [string, FolderConflict][] {
  const keyOfChange = ({ before, after }: ListDiff<Item>[number]) => keyOf(name((after ?? before)!));
  const overridden = new Set(overrides.filter(isEdit).map(keyOfChange));
  return edits
    .filter((edit) => isEdit(edit) && overridden.has(keyOfChange(edit)))
    .map(({ before, after }) => {
      const named = name((after ?? before)!);
      return [keyOf(named), named];
    });
}

/** Whether more differs than what imports write. */
function isEdit<Item>({ before, after }: ListDiff<Item>[number]): boolean {
  const fields = (item: Item) => Object.entries(item as object).filter(([name]) => !own.has(name));
  return !before || !after || !isSame(fields(before), fields(after));
}

function diffRedirects(a: RevisionRecord, b: RevisionRecord): ListDiff<RevisionRecord['redirects'][number]> {
  const old = new Map(a.redirects.map((redirect) => [redirect.from, redirect]));
  const now = new Map(b.redirects.map((redirect) => [redirect.from, redirect]));
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((from) => {
    const [before, after] = [old.get(from), now.get(from)];
    return before?.to === after?.to ? [] : [{ before, after }];
  });
}
