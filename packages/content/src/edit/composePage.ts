import type { InsertPage, UpdatePage } from '@bindery/contract';
import { writePageOnThread } from '../parser-threads/pagesOnThread.ts';
import { documentToMarkdownOnThread } from '../parser-threads/documentToMarkdownOnThread.ts';
import { conditionProblem } from '@bindery/dialect';
import { coverFrom } from '@bindery/dialect/repository-reader';
import type { PageFrontmatter, PageSource } from '@bindery/dialect/frontmatter';
import { createResolver } from '../references/createResolver.ts';
import { writeStableTarget, type ContentReference, type CoverReference } from '@bindery/dialect/links';
import type { DocumentPage } from '../store/items.ts';
import type { Draft } from './draft.ts';
import { contextOf } from './links.ts';
import { refused } from './refuse.ts';
import { flags, texts, type WrittenPage } from './writePage.ts';

/** The fields of a page that its file contains. */
export type WrittenFields = Pick<DocumentPage, 'title'> &
  Partial<Record<'emoji' | 'icon' | 'description' | 'condition', string | undefined>> &
  Partial<Record<'hidden' | 'noIndex' | 'noRobotsIndex', true | undefined>> &
  Partial<Record<'layout' | 'cover' | 'variables' | 'tags', unknown>>;

export type ComposedPage = {
  source: PageSource;
  fields: WrittenFields;
  /** Whether the change gives the page a new text, and not only metadata. */
  isNewText: boolean;
};

/**
 * Builds the file of a page and the fields derived from it, from a change and the old page.
 *
 * Frontmatter and the leading heading of the given Markdown take precedence over the fields of the change;
 * everything else is unchanged.
 *
 * @returns undefined when the change concerns neither
 * @throws invalid_request
 */
export async function composePage(
  draft: Draft,
  given: InsertPage | UpdatePage,
  {
    page,
    source,
    change,
  }: { page?: DocumentPage | undefined; source?: PageSource | undefined; change: number },
): Promise<ComposedPage | undefined> {
  const problem = given.condition ? conditionProblem(given.condition) : undefined;
  if (problem) throw refused(change, 'condition', problem);
  const { markdown, document } = given.document ?? {};
  const isNewText = markdown !== undefined || document !== undefined;
  const isNewField = [...texts, ...flags, 'title' as const].some((name) => given[name] !== undefined);
  if (page && !isNewText && !isNewField) return undefined;
  const { organization } = draft.base;
  const body =
    document &&
    (await documentToMarkdownOnThread(document, organization, (ref) =>
      targetFor(draft, ref as ContentReference),
    ));
  if (document && body === undefined) throw refused(change, 'document', 'takes too long to write.');
  const written = await writePageOnThread(
    { given: fieldsIn(given), markdown, body, page: page && fieldsIn(page), source },
    organization,
  );
  if (!written) throw refused(change, 'document', 'takes too long to read.');
  if ('problem' in written) throw refused(change, 'document.markdown', written.problem);
  return {
    source: written.source,
    fields: { title: written.title, ...fieldsOf(draft, { written, given, page }) },
    isNewText,
  };
}

/** Copies only the fields of the file, because the whole object may be large. */
export function fieldsIn<Of extends InsertPage | UpdatePage | DocumentPage>(
  of: Of,
): Pick<Of, (typeof texts | typeof flags)[number] | 'title'> {
  const { title, emoji, icon, description, condition, hidden, noIndex, noRobotsIndex } = of;
  return { title, emoji, icon, description, condition, hidden, noIndex, noRobotsIndex };
}

type Written = Exclude<WrittenPage, { problem: string }>;

/** Reads the fields that the change names from the new file. The others keep their values. */
function fieldsOf(
  draft: Draft,
  {
    written,
    given,
    page,
  }: { written: Written; given: InsertPage | UpdatePage; page: DocumentPage | undefined },
): Omit<WrittenFields, 'title'> {
  const { said, keys } = written;
  const fields: Omit<WrittenFields, 'title'> = {};
  const isNamed = (key: string) => keys.has(key);
  for (const name of texts) {
    const isInText = isNamed(name === 'condition' ? 'if' : name);
    if (isInText) fields[name] = said[name];
    // Kept as given, because a file has only one form of an emoji.
    else if (given[name] !== undefined)
      fields[name] = name === 'emoji' ? given.emoji || undefined : said[name];
  }
  for (const name of flags)
    if (isNamed(name) || given[name] !== undefined) fields[name] = said[name] || undefined;
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

/** The written target of a reference in a given tree; a reference to a missing page stays broken. */
function targetFor({ edit, files }: Draft, ref: ContentReference): string {
  const target = writeStableTarget(ref);
  const isHere = !('space' in ref) || ref.space === undefined;
  const isMissing =
    (isHere &&
      (ref.kind === 'page' || ref.kind === 'anchor') &&
      ref.page !== undefined &&
      !edit.page(ref.page)) ||
    (ref.kind === 'file' && !files.some(({ id }) => id === ref.file));
  return isMissing ? `/broken${target}` : target;
}
