import { invalid } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { mergeSourceOnThread } from '../parser-threads/pagesOnThread.ts';
import { freeFileName } from '../edit/freeFileName.ts';
import { loadDocuments, markdownOf, storeDocuments } from '../store/documents.ts';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { compact } from '@bindery/runtime';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import { sideOf, type ChooseSide } from './conflict/choices.ts';
import type { FoundConflict } from './conflict/conflict.ts';
import type { ConflictList } from './conflict/conflictList.ts';
import { isSame } from './diffTrees.ts';
import { mergeKeyed, type Versions } from './mergeKeyed.ts';
import { isInBody } from './mergeSource.ts';
import { sha256 } from '../store/hash.ts';

type Lists<Item> = { base: readonly Item[]; ours: readonly Item[]; theirs: readonly Item[] };
type Variable = RevisionRecord['variables'][number];
type Redirect = RevisionRecord['redirects'][number];
type MergedValues<Item> = { items: Item[]; conflicts: FoundConflict[] };

/**
 * Merges entries with a single value: a change of one side is taken; of two different changes, `theirs` wins;
 * an entry that one side removed and the other changed stays; unless `choose` returns a side.
 */
function mergeValues<Item>(
  lists: Lists<Item>,
  {
    keyOf,
    name,
    textOf,
    choose,
  }: {
    keyOf: (item: Item) => string;
    name: 'file' | 'variable' | 'redirect';
    textOf: (item: Item) => string;
    choose: ChooseSide;
  },
): MergedValues<Item> {
  const conflicts: FoundConflict[] = [];
  const text = (item: Item | undefined) => (item === undefined ? null : textOf(item));
  const resolve = ({ base, ours, theirs }: Versions<Item>): Item | undefined => {
    const taken = theirs ?? ours;
    // Both sides may have added the same thing.
    if (!taken || text(ours) === text(theirs)) return taken;
    const field = ours === undefined || theirs === undefined ? 'deleted' : 'value';
    const about = { [name]: keyOf(taken) };
    conflicts.push({ ...about, field, base: text(base), ours: text(ours), theirs: text(theirs) });
    const side = choose(about, field);
    return side ? { ours, theirs }[side] : taken;
  };
  return { items: mergeKeyed<Item>(lists, { keyOf, isSame, resolve }), conflicts };
}

export function mergeVariables(lists: Lists<Variable>, choose: ChooseSide): MergedValues<Variable> {
  return mergeValues(lists, {
    choose,
    keyOf: (variable) => variable.name,
    name: 'variable',
    textOf: ({ value }) => String(value),
  });
}

export function mergeRedirects(lists: Lists<Redirect>, choose: ChooseSide): MergedValues<Redirect> {
  return mergeValues(lists, { choose, keyOf: ({ from }) => from, name: 'redirect', textOf: ({ to }) => to });
}

/**
 * Merges files. Two files that the sides added under the same name are both kept: that of `theirs` gets a
 * number.
 */
export function mergeFileLists(lists: Lists<FileItem>, choose: ChooseSide): MergedValues<FileItem> {
  const { items, conflicts } = mergeValues(lists, {
    choose,
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
  { choicesOf, isDryRun }: Pick<ConflictList, 'choicesOf'> & { isDryRun: boolean },
): Promise<{ items: ReusableContentItem[]; conflicts: FoundConflict[]; documentsWritten: number }> {
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
    merged.push(await mergeReusableContent(versions, { organization, sources, choicesOf }));
  const byId = new Map(merged.map(({ id, item }) => [id, item]));
  const written = merged.flatMap(({ item, source }) =>
    item && source ? [{ hash: item.document, source }] : [],
  );
  const documentsWritten = isDryRun ? 0 : await storeDocuments(organization, written);
  return {
    items: items.flatMap((item) => (byId.has(item.id) ? (byId.get(item.id) ?? []) : item)),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
    documentsWritten,
  };
}

/** Without `item`, it is removed. */
type MergedReusableContent = {
  id: string;
  item: ReusableContentItem | undefined;
  source?: PageSource;
  conflicts: FoundConflict[];
};

type ReusableContext = Pick<ConflictList, 'choicesOf'> & {
  organization: string;
  sources: ReadonlyMap<string, PageSource>;
};

async function mergeReusableContent(
  { base, ours, theirs }: Versions<ReusableContentItem>,
  { organization, sources, choicesOf }: ReusableContext,
): Promise<MergedReusableContent> {
  const sourceOf = (item: ReusableContentItem | undefined) => item && sources.get(item.document);
  const taken = theirs ?? ours;
  if (!taken) throw new Error('A reusable content was on neither side.');
  const { id } = taken;
  const about = { reusableContent: id };
  const choices = choicesOf(about);
  if (!ours || !theirs) {
    const text = (item: ReusableContentItem | undefined) => {
      const source = sourceOf(item);
      return source ? markdownOf(source) : null;
    };
    const side = sideOf(choices, 'deleted');
    return {
      id,
      item: side ? { ours, theirs }[side] : taken,
      conflicts: [{ ...about, field: 'deleted', base: text(base), ours: text(ours), theirs: text(theirs) }],
    };
  }
  const conflicts: FoundConflict[] = [];
  let title = theirs.title === base?.title ? ours.title : theirs.title;
  if (title !== ours.title && ours.title !== base?.title) {
    const texts = { base: base?.title ?? null, ours: ours.title, theirs: theirs.title };
    conflicts.push({ ...about, field: 'title', ...texts });
    title = texts[sideOf(choices, 'title') ?? 'theirs'];
  }
  const git = isSame(theirs.git, base?.git) ? ours.git : theirs.git;
  const item: ReusableContentItem = compact({ id: theirs.id, title, document: theirs.document, git });
  if (theirs.document === base?.document || theirs.document === ours.document)
    return { id, item: { ...item, document: ours.document }, conflicts };
  if (ours.document === base?.document) return { id, item, conflicts };
  const [our, their] = [sourceOf(ours), sourceOf(theirs)];
  if (!our || !their) throw new Error(`The document of the reusable content ${taken.id} is missing.`);
  const states = { base: sourceOf(base), ours: our, theirs: their, choices };
  const both = await mergeSourceOnThread(states, organization);
  if (!both)
    throw invalid(
      'the change request',
      `cannot be merged: its reusable content ${taken.id} takes too long to compare.`,
    );
  const { source } = both;
  for (const { part, merged, ...more } of both.conflicts)
    conflicts.push({ ...about, field: 'document', part, ...more, ...(isInBody(part) && { merged }) });
  const document = sha256(source.frontmatter, source.body);
  return { id, item: { ...item, document }, source, conflicts };
}
