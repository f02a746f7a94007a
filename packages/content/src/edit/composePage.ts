import type { InsertPage, UpdatePage } from '@bindery/contract';
import { conditionProblem } from '../condition/parseCondition.ts';
import { documentToMarkdown } from '../document/documentToMarkdown.ts';
import { writePageSource, type PageChanges } from '../document/pageSource.ts';
import { coverFrom } from '../gitbook/coverFrom.ts';
import { readFrontmatter } from '../gitbook/frontmatter.ts';
import { yamlOfFrontmatter } from '../gitbook/splitFrontmatter.ts';
import { contentLimits, type PageFrontmatter } from '../gitbook/types.ts';
import { createResolver } from '../references/createResolver.ts';
import { writeStableTarget } from '../references/stableTarget.ts';
import type { PageSource } from '../store/documents.ts';
import type { ContentReference, CoverReference, DocumentPage } from '../store/items.ts';
import type { Draft } from './draft.ts';
import { contextOf } from './links.ts';
import { mergeFrontmatter } from './mergeFrontmatter.ts';
import { readGivenMarkdown, type GivenMarkdown } from './readGiven.ts';
import { refused } from './refuse.ts';

/** The fields of a page that stand in its file too. */
export type WrittenFields = Pick<DocumentPage, 'title'> &
  Partial<Record<'emoji' | 'icon' | 'description' | 'condition', string | undefined>> &
  Partial<Record<'hidden' | 'noIndex' | 'noRobotsIndex', true | undefined>> &
  Partial<Record<'layout' | 'cover' | 'variables' | 'tags', unknown>>;

export type ComposedPage = {
  source: PageSource;
  fields: WrittenFields;
  /** Whether the text of the page was given, and not its metadata alone. */
  isNewText: boolean;
};

const untitled = 'Untitled';
const texts = ['emoji', 'icon', 'description', 'condition'] as const;
const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/**
 * Makes the file of a page and the fields that follow from it, from what a change gives and what the page was.
 *
 * Frontmatter and the leading heading of the given Markdown win over the fields of the change; what neither names stays as it was.
 * @returns undefined when the change is about neither
 * @throws invalid_request
 */
export function composePage(
  draft: Draft,
  given: InsertPage | UpdatePage,
  { page, source, change }: { page?: DocumentPage | undefined; source?: PageSource | undefined; change: number },
): ComposedPage | undefined {
  const problem = given.condition ? conditionProblem(given.condition) : undefined;
  if (problem) throw refused(change, 'condition', problem);
  const { markdown, document } = given.document ?? {};
  const text = markdown === undefined ? undefined : readGivenMarkdown(markdown, change);
  const changes = changesOf(given, text);
  const isNewText = text !== undefined || document !== undefined;
  if (page && !isNewText && Object.keys(changes).length === 0) return undefined;
  const title = titleOf(text?.title ?? (text?.metadata.title || given.title)) ?? page?.title ?? untitled;

  // A page that had no file gets all that it has into its first one.
  const complete: PageChanges = source ? changes : { ...(page && metadataOf(page)), ...changes };
  let written: PageSource;
  if (text) {
    const frontmatter = mergeFrontmatter(source?.frontmatter ?? new Uint8Array(), text.frontmatter);
    written =
      text.title === undefined
        ? writePageSource({ frontmatter, body: source?.body ?? new Uint8Array() }, { ...complete, title, body: text.body })
        : writePageSource({ frontmatter, body: Buffer.from(text.body) }, complete);
  } else {
    const body = document && documentToMarkdown(document, (ref) => targetFor(draft, ref as ContentReference));
    const isNewTitle = !source || given.title !== undefined || body !== undefined;
    written = writePageSource(source, { ...complete, ...(isNewTitle && { title }), ...(body !== undefined && { body }) });
  }
  return { source: written, fields: { title, ...fieldsOf(draft, { written, given, text, page }) }, isNewText };
}

/** One line, as headings are; undefined for nothing at all. */
function titleOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : given.replace(/\s+/g, ' ').trim() || untitled;
}

/** What the fields of a change do to the frontmatter, without what the Markdown says itself. */
function changesOf(given: InsertPage | UpdatePage, text: GivenMarkdown | undefined): PageChanges & { title?: string } {
  const changes: PageChanges = {};
  const isOpen = (name: string) => !text?.keys.has(name === 'condition' ? 'if' : name);
  for (const name of texts) if (given[name] !== undefined && isOpen(name)) changes[name] = given[name];
  for (const name of flags) if (given[name] !== undefined && isOpen(name)) changes[name] = given[name];
  return given.title === undefined || text ? changes : { ...changes, title: given.title };
}

function metadataOf(page: DocumentPage): PageChanges {
  const changes: PageChanges = {};
  for (const name of texts) if (page[name] !== undefined) changes[name] = page[name];
  for (const name of flags) if (page[name]) changes[name] = true;
  return changes;
}

/** What the file says now of all that the change named. What it did not name stays as the page had it. */
function fieldsOf(
  draft: Draft,
  {
    written,
    given,
    text,
    page,
  }: { written: PageSource; given: InsertPage | UpdatePage; text: GivenMarkdown | undefined; page: DocumentPage | undefined },
): Omit<WrittenFields, 'title'> {
  const { frontmatter: said } = readFrontmatter(yamlOfFrontmatter(written.frontmatter), contentLimits.yamlBytes);
  const fields: Omit<WrittenFields, 'title'> = {};
  const isNamed = (key: string) => text?.keys.has(key) ?? false;
  for (const name of texts) {
    const isInText = isNamed(name === 'condition' ? 'if' : name);
    if (isInText) fields[name] = said[name];
    // Kept as it was given: a file has it in one form only.
    else if (given[name] !== undefined) fields[name] = name === 'emoji' ? given.emoji || undefined : said[name];
  }
  for (const name of flags) if (isNamed(name) || given[name] !== undefined) fields[name] = said[name] || undefined;
  if (isNamed('layout')) fields.layout = said.layout;
  if (isNamed('vars')) fields.variables = said.variables;
  if (isNamed('tags')) fields.tags = said.tags;
  if (['cover', 'coverY', 'coverHeight'].some(isNamed)) fields.cover = coverOf(draft, said, page);
  return fields;
}

function coverOf(draft: Draft, said: PageFrontmatter, page: DocumentPage | undefined): DocumentPage['cover'] {
  return coverFrom(said, (path): CoverReference | undefined => {
    const found = draft.names.find(path) ?? createResolver(contextOf(draft, page))(path, 'image');
    return found?.kind === 'file' || found?.kind === 'url' ? found : undefined;
  });
}

/** What a reference of a given tree is written as; one to a page that is not there stays the broken reference that it is. */
function targetFor({ edit, files }: Draft, ref: ContentReference): string {
  const target = writeStableTarget(ref);
  const isHere = !('space' in ref) || ref.space === undefined;
  const isMissing =
    (isHere && (ref.kind === 'page' || ref.kind === 'anchor') && ref.page !== undefined && !edit.page(ref.page)) ||
    (ref.kind === 'file' && !files.some(({ id }) => id === ref.file));
  return isMissing ? `/broken${target}` : target;
}
