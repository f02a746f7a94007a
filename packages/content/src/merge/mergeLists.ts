import { invalid } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { mergeSourceOnThread } from '../parser-threads/pagesOnThread.ts';
import { freeFileName } from '../edit/freeFileName.ts';
import { loadDocuments, markdownOf, storeDocuments } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { compact } from '@bindery/runtime';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import type { MergeConflict } from './conflict.ts';
import { isSame } from './diffTrees.ts';
import { mergeKeyed, type Versions } from './mergeKeyed.ts';
import { sha256 } from '../store/hash.ts';

type Lists<Item> = { base: readonly Item[]; ours: readonly Item[]; theirs: readonly Item[] };
type Variable = RevisionRecord['variables'][number];
type Redirect = RevisionRecord['redirects'][number];

/**
 * Merges entries with a single value: a change of one side is taken; of two different changes, `theirs` wins;
 * an entry that one side removed and the other changed stays.
 */
function mergeValues<Item>(
  lists: Lists<Item>,
  {
    keyOf,
    name,
    textOf,
  }: {
    keyOf: (item: Item) => string;
    name: 'file' | 'variable' | 'redirect';
    textOf: (item: Item) => string;
  },
): { items: Item[]; conflicts: MergeConflict[] } {
  const conflicts: MergeConflict[] = [];
  const text = (item: Item | undefined) => (item === undefined ? null : textOf(item));
  const resolve = ({ base, ours, theirs }: Versions<Item>): Item | undefined => {
    const taken = theirs ?? ours;
    const field = ours === undefined || theirs === undefined ? 'deleted' : 'value';
    // Both sides may have added the same thing.
    if (taken && text(ours) !== text(theirs))
      conflicts.push({
        [name]: keyOf(taken),
        field,
        base: text(base),
        ours: text(ours),
        theirs: text(theirs),
      });
    return taken;
  };
  return { items: mergeKeyed<Item>(lists, { keyOf, isSame, resolve }), conflicts };
}

export function mergeVariables(lists: Lists<Variable>): { items: Variable[]; conflicts: MergeConflict[] } {
  return mergeValues(lists, {
    keyOf: (variable) => variable.name,
    name: 'variable',
    textOf: ({ value }) => String(value),
  });
}

export function mergeRedirects(lists: Lists<Redirect>): { items: Redirect[]; conflicts: MergeConflict[] } {
  return mergeValues(lists, { keyOf: ({ from }) => from, name: 'redirect', textOf: ({ to }) => to });
}

/**
 * Merges files. Two files that the sides added under the same name are both kept: that of `theirs` gets a
 * number.
 */
export function mergeFileLists(lists: Lists<FileItem>): { items: FileItem[]; conflicts: MergeConflict[] } {
  const { items, conflicts } = mergeValues(lists, {
    keyOf: ({ id }) => id,
    name: 'file',
    textOf: ({ name, blob }) => `${name} (SHA-256 ${blob})`,
  });
  const inOurs = new Set(lists.ours.map(({ id }) => id));
  const named: FileItem[] = items.filter(({ id }) => inOurs.has(id));
  const added = new Map<string, FileItem>();
  for (const file of items) {
    if (inOurs.has(file.id)) continue;
    const free = { ...file, name: freeFileName(named, file.name) };
    named.push(free);
    added.set(file.id, free);
  }
  return { items: items.map((file) => added.get(file.id) ?? file), conflicts };
}

/** Merges reusable contents: their titles, and their texts like those of pages. */
export async function mergeReusableContents(
  organization: string,
  lists: Lists<ReusableContentItem>,
): Promise<{ items: ReusableContentItem[]; conflicts: MergeConflict[]; documentsWritten: number }> {
  const differing: Versions<ReusableContentItem>[] = [];
  const items = mergeKeyed<ReusableContentItem>(lists, {
    keyOf: ({ id }) => id,
    isSame,
    resolve: (versions) => {
      differing.push(versions);
      return versions.theirs ?? versions.ours;
    },
  });
  if (differing.length === 0) return { items, conflicts: [], documentsWritten: 0 };
  const sources = await loadDocuments(organization, [
    ...new Set(
      differing.flatMap(({ base, ours, theirs }) =>
        [base, ours, theirs].flatMap((item) => item?.document ?? []),
      ),
    ),
  ]);
  const merged: MergedReusableContent[] = [];
  for (const versions of differing)
    merged.push(await mergeReusableContent(versions, { organization, sources }));
  const byId = new Map(merged.map(({ item }) => [item.id, item]));
  const documentsWritten = await storeDocuments(
    organization,
    merged.flatMap(({ item, source }) => (source ? [{ hash: item.document, source }] : [])),
  );
  return {
    items: items.map((item) => byId.get(item.id) ?? item),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
    documentsWritten,
  };
}

type MergedReusableContent = { item: ReusableContentItem; source?: PageSource; conflicts: MergeConflict[] };

async function mergeReusableContent(
  { base, ours, theirs }: Versions<ReusableContentItem>,
  { organization, sources }: { organization: string; sources: ReadonlyMap<string, PageSource> },
): Promise<MergedReusableContent> {
  const sourceOf = (item: ReusableContentItem | undefined) => item && sources.get(item.document);
  const taken = theirs ?? ours;
  if (!taken) throw new Error('A reusable content was on neither side.');
  const about = { reusableContent: taken.id };
  if (!ours || !theirs) {
    const text = (item: ReusableContentItem | undefined) => {
      const source = sourceOf(item);
      return source ? markdownOf(source) : null;
    };
    return {
      item: taken,
      conflicts: [{ ...about, field: 'deleted', base: text(base), ours: text(ours), theirs: text(theirs) }],
    };
  }
  const conflicts: MergeConflict[] = [];
  const title = theirs.title === base?.title ? ours.title : theirs.title;
  if (title !== ours.title && ours.title !== base?.title)
    conflicts.push({
      ...about,
      field: 'title',
      base: base?.title ?? null,
      ours: ours.title,
      theirs: theirs.title,
    });
  const git = isSame(theirs.git, base?.git) ? ours.git : theirs.git;
  const item: ReusableContentItem = compact({ id: theirs.id, title, document: theirs.document, git });
  if (theirs.document === base?.document || theirs.document === ours.document)
    return { item: { ...item, document: ours.document }, conflicts };
  if (ours.document === base?.document) return { item, conflicts };
  const [our, their] = [sourceOf(ours), sourceOf(theirs)];
  if (!our || !their) throw new Error(`The document of the reusable content ${taken.id} is missing.`);
  const both = await mergeSourceOnThread({ base: sourceOf(base), ours: our, theirs: their }, organization);
  if (!both)
    throw invalid(
      'the change request',
      `cannot be merged: its reusable content ${taken.id} takes too long to compare.`,
    );
  const { source } = both;
  for (const { part: _, merged: __, block, ...texts } of both.conflicts)
    conflicts.push({ ...about, field: 'document', block, ...texts });
  const document = sha256(source.frontmatter, source.body);
  return { item: { ...item, document }, source, conflicts };
}
