import { invalid } from '@bindery/contract';
import { mergeSourceOnThread, writePageSourceOnThread } from '../parser-threads/pagesOnThread.ts';
import type { PageChanges } from '@bindery/dialect/page-source';
import { readFrontmatter, yamlOfFrontmatter, type PageSource } from '@bindery/dialect/frontmatter';
import { splitTitle } from '@bindery/dialect/syntax';
import { contentLimits } from '@bindery/dialect/repository-format';
import { writeStableTarget } from '@bindery/dialect/links';
import { compact, chunksOf } from '@bindery/runtime';
import { loadDocuments, markdownOf, storeDocuments } from '../store/documents.ts';
import type { DocumentPage, PageItem } from '../store/items.ts';
import { sideOf, type PartChoices } from './conflict/choices.ts';
import type { FoundConflict } from './conflict/conflict.ts';
import type { ConflictList } from './conflict/conflictList.ts';
import { describeField, describePage } from './describe.ts';
import { isInBody, isTitle, tellsKey, type SourceChoices, type SourceConflict } from './mergeSource.ts';
import { moverOf, type FollowMove } from './followMove.ts';
import { partOfField, type KeptPage, type MergedTree, type PageToMerge } from './mergeTrees.ts';
import { sha256 } from '../store/hash.ts';

/** Number of pages whose files are in memory at a time. */
const perBatch = 20;

/**
 * Merges and stores the files of pages that both sides changed, and updates each file to its page's metadata.
 *
 * Adds the conflicts of these pages, and of pages that one side removed, with their texts.
 *
 * @returns the number of new files
 */
export async function mergeFiles(
  organization: string,
  {
    tree: { edit, toMerge, kept, conflicts: known },
    conflicts,
    followMove,
    isDryRun,
  }: { tree: MergedTree; conflicts: ConflictList; followMove: FollowMove; isDryRun: boolean },
): Promise<number> {
  let documentsWritten = 0;
  const titled = new Set(known.filter(({ field }) => field === 'title').map(({ page }) => page));
  for (const batch of chunksOf(toMerge, perBatch)) {
    const sourceOf = await loadSources(organization, batch);
    const written: { hash: string; source: PageSource }[] = [];
    for (const task of batch) {
      const merged = edit.page(task.id)?.page;
      if (!merged) throw new Error(`The page ${task.id} was lost in the merge.`);
      const choices = choicesOf(task.id, { conflicts, isTitled: titled.has(task.id) });
      const context = { organization, sourceOf, followMove, choices };
      const { page, source, found } = await mergeFile(task, merged, context);
      edit.update(task.id, () => page);
      if (source && page.type === 'document' && page.document !== undefined)
        written.push({ hash: page.document, source });
      conflicts.add(conflictsOf(task, found, { hasTitleConflict: titled.has(task.id) }));
    }
    if (!isDryRun) documentsWritten += await storeDocuments(organization, written);
  }
  for (const batch of chunksOf(kept, perBatch)) {
    const sourceOf = await loadSources(organization, batch);
    const textOf = (page: PageItem | undefined) => (page ? textOfPage(page, sourceOf) : null);
    conflicts.add(
      batch.map(({ id, base, ours, theirs }) => ({
        page: id,
        field: 'deleted',
        base: textOf(base),
        ours: textOf(ours),
        theirs: textOf(theirs),
      })),
    );
  }
  return documentsWritten;
}

function choicesOf(
  page: string,
  { conflicts, isTitled }: { conflicts: ConflictList; isTitled: boolean },
): SourceChoices {
  const choices = conflicts.choicesOf({ page });
  return { ...choices, title: isTitled ? sideOf(choices, 'title') : undefined };
}

type SourceOf = (page: PageItem | undefined) => PageSource | undefined;

async function loadSources(organization: string, pages: readonly KeptPage[]): Promise<SourceOf> {
  const hashOf = (page: PageItem | undefined) => (page?.type === 'document' ? page.document : undefined);
  const hashes = pages.flatMap(({ base, ours, theirs }) =>
    [base, ours, theirs].flatMap((page) => hashOf(page) ?? []),
  );
  const sources = await loadDocuments(organization, [...new Set(hashes)]);
  return (page) => {
    const hash = hashOf(page);
    const source = hash === undefined ? undefined : sources.get(hash);
    if (hash !== undefined && !source) throw new Error(`The document ${hash} is missing.`);
    return source;
  };
}

type MergedFile = {
  page: PageItem;
  /** The merged file, if it differs from both sides. */
  source?: PageSource;
  found: SourceConflict[];
};

/** @param merged  the page with its fields merged */
async function mergeFile(
  { base, ours, theirs, fields }: PageToMerge,
  merged: PageItem,
  {
    organization,
    sourceOf,
    followMove,
    choices,
  }: { organization: string; sourceOf: SourceOf; followMove: FollowMove; choices: SourceChoices },
): Promise<MergedFile> {
  const { old, our, their } = await inOnePlace({ base, ours, theirs }, { sourceOf, followMove });
  if (merged.type !== 'document' || (!our && !their)) return { page: merged, found: [] };
  let page: DocumentPage = merged;
  let source = our === old || (old && our && isSameSource(our, old)) ? their : our;
  const found: SourceConflict[] = [];
  if (our && their && isBothChanged({ old, our, their })) {
    const both = await mergeSourceOnThread({ base: old, ours: our, theirs: their, choices }, organization);
    if (!both)
      throw invalid('the change request', `cannot be merged: its page ${page.id} takes too long to compare.`);
    source = both.source;
    found.push(...both.conflicts);
    page = withWritten(withChosen(page, { fields, found, choices }), source, { old, our, their });
  }
  if (!source) return { page: merged, found };
  const changes = changesOf(base, page, [ours, theirs]);
  const titled = page.title === ours.title ? our : their;
  // If the label changed but the heading did not, the heading stays.
  if (old && titled && headingOf(titled) === headingOf(old)) delete changes.title;
  source = await writePageSourceOnThread(source, changes, organization);
  if (!source)
    throw invalid('the change request', `cannot be merged: its page ${page.id} takes too long to write.`);
  const hash = hashOf(source);
  const isNew = [ours, theirs].every((side) => side.type !== 'document' || side.document !== hash);
  return { page: { ...page, document: hash }, found, source: isNew ? source : undefined };
}

/**
 * Returns the sources of a page as if its file had always been where it is after the merge: if one side moved
 * it, the links of the others are rewritten, and those of a file that was only moved.
 */
async function inOnePlace(
  { base, ours, theirs }: Pick<PageToMerge, 'base' | 'ours' | 'theirs'>,
  { sourceOf, followMove }: { sourceOf: SourceOf; followMove: FollowMove },
): Promise<Record<'old' | 'our' | 'their', PageSource | undefined>> {
  const [old, our, their] = [sourceOf(base), sourceOf(ours), sourceOf(theirs)];
  const mover = moverOf(base, { ours, theirs });
  if (!mover || !old || !our || !their) return { old, our, their };
  const followed = async (source: PageSource) => followMove(source, ours.id, mover);
  const moved = mover === 'ours' ? our : their;
  const oldThere = await followed(old);
  const movedThere = isSameSource(moved, old) ? oldThere : moved;
  return mover === 'ours'
    ? { old: oldThere, our: movedThere, their: await followed(their) }
    : { old: oldThere, our: await followed(our), their: movedThere };
}

function headingOf(source: PageSource): string | undefined {
  return splitTitle(markdownOf(source)).title;
}

type Sources = { old: PageSource | undefined; our: PageSource; their: PageSource };

function isBothChanged({ old, our, their }: Sources): boolean {
  return !isSameSource(our, their) && (!old || (!isSameSource(our, old) && !isSameSource(their, old)));
}

function isSameSource(a: PageSource, b: PageSource): boolean {
  return Buffer.compare(a.frontmatter, b.frontmatter) === 0 && Buffer.compare(a.body, b.body) === 0;
}

/**
 * Copies the fields that only authors write in the file: once both sides have changed its frontmatter, they
 * come from the merged file.
 */
function withWritten(page: DocumentPage, merged: PageSource, { old, our, their }: Sources): DocumentPage {
  const isChanged = (side: PageSource) =>
    Buffer.compare(side.frontmatter, old?.frontmatter ?? new Uint8Array()) !== 0;
  if (!isChanged(our) || !isChanged(their)) return page;
  const { frontmatter } = readFrontmatter(yamlOfFrontmatter(merged.frontmatter), contentLimits.yamlBytes);
  const { layout: _, variables: __, tags: ___, ...rest } = page;
  const { layout, variables, tags } = frontmatter;
  return compact({ ...rest, layout, variables, tags });
}

const texts = ['title', 'description', 'icon', 'emoji', 'condition'] as const;
const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/** The metadata of the page that either side changed, to be written to its file. */
function changesOf(base: PageItem | undefined, page: DocumentPage, sides: readonly PageItem[]): PageChanges {
  const before: Partial<DocumentPage> = base?.type === 'document' ? base : {};
  const titles = [base, ...sides].flatMap((one) => one?.title ?? []);
  const changes: PageChanges = { titlesBefore: titles.filter((title) => title !== page.title) };
  for (const name of texts) if (page[name] !== before[name]) changes[name] = page[name] ?? '';
  for (const name of flags) if (page[name] !== before[name]) changes[name] = page[name] ?? false;
  return changes;
}

function hashOf({ frontmatter, body }: PageSource): string {
  return sha256(frontmatter, body);
}

/** Fields whose conflicts are those of the tree, or none. */
const ofTree: ReadonlySet<string> = new Set(['title', 'slug', 'git']);

function conflictsOf(
  { id, fields }: PageToMerge,
  found: readonly SourceConflict[],
  { hasTitleConflict }: { hasTitleConflict: boolean },
): FoundConflict[] {
  const inSource = found
    .filter((conflict) => !(hasTitleConflict && isTitle(conflict)))
    .map(({ part, block, merged, ...texts }): FoundConflict => ({
      ...{ page: id, field: 'document', part, block, ...texts },
      ...(isInBody(part) && { merged }),
    }));
  const inFields = fields
    .filter(({ field }) => !ofTree.has(field) && !tellerOf(field, found))
    .map(({ field, base, ours, theirs }): FoundConflict => {
      const [o, a, b] = [base, ours, theirs].map((value) => describeValue(field, value)) as [
        string,
        string,
        string,
      ];
      const named = { page: id, field: 'document', part: partOfField(field) } as const;
      return { ...named, block: blockOfField(field), base: o, ours: a, theirs: b };
    });
  return [...inSource, ...inFields];
}

/** Finds the conflict of the frontmatter that covers this field. */
function tellerOf(field: string, found: readonly SourceConflict[]): SourceConflict | undefined {
  const [name = ''] = field.split('.');
  const key = { condition: 'if', variables: 'vars' }[name] ?? name;
  return found.find((conflict) => !isInBody(conflict.part) && tellsKey(conflict, key));
}

/** Gives the fields that a conflict of the frontmatter covers the values of the side chosen for it. */
function withChosen(
  page: DocumentPage,
  {
    fields,
    found,
    choices,
  }: Pick<PageToMerge, 'fields'> & { found: readonly SourceConflict[]; choices: PartChoices },
): DocumentPage {
  let chosen: Record<string, unknown> = { ...page };
  for (const { field, ...values } of fields) {
    const teller = ofTree.has(field) ? undefined : tellerOf(field, found);
    const side = teller && sideOf(choices, teller.part);
    const [name = '', member] = field.split('.');
    if (!side) continue;
    const whole = chosen[name];
    const value = member === undefined ? values[side] : { ...Object(whole), [member]: values[side] };
    chosen = { ...chosen, [name]: value };
  }
  return compact(chosen) as DocumentPage;
}

function blockOfField(field: string): string {
  if (field === 'target') return 'target';
  return field === 'computed' ? 'source' : 'frontmatter';
}

function describeValue(field: string, value: unknown): string | null {
  if (field === 'target' && value !== undefined)
    return writeStableTarget(value as Parameters<typeof writeStableTarget>[0]);
  return describeField(field, value);
}

function textOfPage(page: PageItem, sourceOf: SourceOf): string {
  const source = sourceOf(page);
  return source ? markdownOf(source) : describePage(page);
}
