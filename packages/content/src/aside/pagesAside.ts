import { writePageSource, type PageChanges } from '../document/pageSource.ts';
import { writePage, type PageToWrite, type WrittenPage } from '../edit/writePage.ts';
import { metaLinksOf } from '../gitbook/metaLinks.ts';
import type { PageSource } from '../store/documents.ts';
import { runAside } from './threads.ts';

/**
 * Bytes and characters that are dealt with here. YAML is slow to read, is read several times to change it, and comes in batches of pages: it goes to a
 * thread when it takes longer than the way there.
 */
const short = { yaml: 200, text: 8_000 };

/** As `writePage`, on another thread if that may take long. @returns undefined when it took too long or too much memory */
export async function writePageAside(page: PageToWrite, organization: string): Promise<WrittenPage | undefined> {
  const { markdown = '', body = '', source } = page;
  const isShort =
    (markdown.startsWith('---') ? markdown.length <= short.yaml : markdown.length + body.length <= short.text) && isShortSource(source);
  if (isShort) return writePage(page);
  const characters = markdown.length + body.length + (source ? lengthOf(source) : 0);
  return runAside('writePage', { ...page, ...(source && { source: own(source) }) }, { organization, characters });
}

/** As `writePageSource`, on another thread if that may take long. @returns undefined when it took too long or too much memory */
export async function writePageSourceAside(
  source: PageSource,
  changes: PageChanges,
  organization: string,
): Promise<PageSource | undefined> {
  if (isShortSource(source)) return writePageSource(source, changes);
  return runAside('writePageSource', { source: own(source), changes }, { organization, characters: lengthOf(source) });
}

/** As `metaLinksOf`, on another thread if that may take long. @returns undefined when it took too long or too much memory */
export async function metaLinksAside(frontmatter: Uint8Array, organization: string): Promise<ReturnType<typeof metaLinksOf> | undefined> {
  if (frontmatter.length <= short.yaml) return metaLinksOf(frontmatter);
  return runAside('metaLinksOf', frontmatter.slice(), { organization, characters: frontmatter.length });
}

function isShortSource(source: PageSource | undefined): boolean {
  return !source || (source.frontmatter.length <= short.yaml && source.body.length <= short.text);
}

function lengthOf({ frontmatter, body }: PageSource): number {
  return frontmatter.length + body.length;
}

/** Copies the bytes: with a view on a database's answer, the whole answer would be sent to the thread. */
function own({ frontmatter, body }: PageSource): PageSource {
  return { frontmatter: new Uint8Array(frontmatter), body: new Uint8Array(body) };
}
