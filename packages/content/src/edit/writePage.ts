import type { InsertPage, UpdatePage } from '@bindery/contract';
import { writePageSource, type PageChanges } from '@bindery/dialect/page-source';
import {
  readFrontmatter,
  yamlOfFrontmatter,
  type PageSource,
  type PageFrontmatter,
} from '@bindery/dialect/frontmatter';
import { isSameTitle, splitTitle } from '@bindery/dialect/syntax';
import { contentLimits } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../store/items.ts';
import { mergeFrontmatter } from './mergeFrontmatter.ts';
import { readGivenMarkdown, type GivenMarkdown } from './readGiven.ts';

const untitled = 'Untitled';
export const texts = ['emoji', 'icon', 'description', 'condition'] as const;
export const flags = ['hidden', 'noIndex', 'noRobotsIndex'] as const;
type Field = (typeof texts)[number] | (typeof flags)[number];

/** The input of `writePage`: plain values, so that another thread can receive them. */
export type PageToWrite = {
  /** The fields of the change. */
  given: Pick<InsertPage | UpdatePage, Field | 'title'>;
  /** The given text: a whole file, or the Markdown of a document tree without a title. */
  markdown?: string | undefined;
  body?: string | undefined;
  /** The page before the change; absent for a new one. */
  page?: Pick<DocumentPage, Field | 'title'> | undefined;
  source?: PageSource | undefined;
};

export type WrittenPage =
  | { source: PageSource; title: string; said: PageFrontmatter; keys: ReadonlySet<string> }
  /** The problem with the Markdown, as the rest of a sentence. */
  | { problem: string };

/**
 * Builds the file of a page from a change and the old page.
 *
 * @returns the metadata in the new file, and the keys that the given Markdown names
 */
export function writePage({ given, markdown, body, page, source }: PageToWrite): WrittenPage {
  const text = markdown === undefined ? undefined : readGivenMarkdown(markdown);
  if (text && 'problem' in text) return text;
  const changes = { ...changesOf(given, text), ...(page && { titlesBefore: [page.title] }) };
  const title =
    titleOf((text && titleSaidBy(text, { page, source })) ?? given.title) ?? page?.title ?? untitled;

  // The first file of a page that had none gets all of its fields.
  const complete: PageChanges = source ? changes : { ...(page && metadataOf(page)), ...changes };
  let written: PageSource;
  if (text) {
    const frontmatter = mergeFrontmatter(source?.frontmatter ?? new Uint8Array(), text.frontmatter);
    written =
      text.title === undefined
        ? writePageSource(
            { frontmatter, body: source?.body ?? new Uint8Array() },
            { ...complete, title, body: text.body },
          )
        : writePageSource({ frontmatter, body: Buffer.from(text.body) }, complete);
  } else {
    const isNewTitle = !source || given.title !== undefined || body !== undefined;
    written = writePageSource(source, {
      ...complete,
      ...(isNewTitle && { title }),
      ...(body !== undefined && { body }),
    });
  }
  const { frontmatter: said } = readFrontmatter(
    yamlOfFrontmatter(written.frontmatter),
    contentLimits.yamlBytes,
  );
  return { source: written, title, said, keys: text?.keys ?? new Set() };
}

/**
 * Returns the title that a given text sets: its leading heading, on a page with a text only where the old
 * heading was the title's line; otherwise the `title` of its frontmatter. A heading or key that has not
 * changed keeps the title, which may be spelled differently.
 */
function titleSaidBy(
  text: GivenMarkdown,
  { page, source }: Pick<PageToWrite, 'page' | 'source'>,
): string | undefined {
  const before = source ? Buffer.from(source.body).toString('utf8') : '';
  const old = splitTitle(before).title;
  const isTitleLine = !page || before.trim() === '' || (old !== undefined && isSameTitle(old, page.title));
  if (text.title !== undefined && isTitleLine) return page && text.title === old ? page.title : text.title;
  const { title } = text.metadata;
  return title && title !== (source && titleInKeys(source)) ? title : undefined;
}

function titleInKeys({ frontmatter }: PageSource): string | undefined {
  return readFrontmatter(yamlOfFrontmatter(frontmatter), contentLimits.yamlBytes).frontmatter.title;
}

/** A title in one line, as headings are; `untitled` when it is blank. */
function titleOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : given.replace(/\s+/g, ' ').trim() || untitled;
}

/** The changes that the fields make to the frontmatter, except for keys that the Markdown sets itself. */
function changesOf(
  given: PageToWrite['given'],
  text: GivenMarkdown | undefined,
): PageChanges & { title?: string } {
  const changes: PageChanges = {};
  const isOpen = (name: string) => !text?.keys.has(name === 'condition' ? 'if' : name);
  for (const name of texts) if (given[name] !== undefined && isOpen(name)) changes[name] = given[name];
  for (const name of flags) if (given[name] !== undefined && isOpen(name)) changes[name] = given[name];
  return given.title === undefined || text ? changes : { ...changes, title: given.title };
}

function metadataOf(page: Pick<DocumentPage, Field>): PageChanges {
  const changes: PageChanges = {};
  for (const name of texts) if (page[name] !== undefined) changes[name] = page[name];
  for (const name of flags) if (page[name]) changes[name] = true;
  return changes;
}
