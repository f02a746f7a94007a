import { writePageSource, type PageChanges } from '@bindery/dialect/page-source';
import { writePage, type PageToWrite, type WrittenPage } from '../edit/writePage.ts';
import { metaLinksOf } from '@bindery/dialect';
import type { PageSource } from '@bindery/dialect/frontmatter';
import { mergeSource, type MergedSource, type SourcesToMerge } from '../merge/mergeSource.ts';
import type { BlocksToRevert, RevertedBlocks } from '../edit/revertBlocks.ts';
import { isQuickToParse } from './isQuick.ts';
import { runOnThread } from './parserThreads.ts';

/**
 * Numbers of bytes and characters to process on this thread. YAML is slow to parse, is parsed several times
 * for a change, and comes in batches of pages: a thread handles it once that takes longer than the transfer.
 */
const short = { yaml: 200, text: 8_000 };

/**
 * Runs `writePage`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function writePageOnThread(
  page: PageToWrite,
  organization: string,
): Promise<WrittenPage | undefined> {
  const { markdown = '', body = '', source } = page;
  const isShort =
    (markdown.startsWith('---')
      ? markdown.length <= short.yaml
      : markdown.length + body.length <= short.text) && isShortSource(source);
  if (isShort) return writePage(page);
  const characters = markdown.length + body.length + (source ? lengthOf(source) : 0);
  return runOnThread('writePage', { ...page, source: source && own(source) }, { organization, characters });
}

/**
 * Runs `writePageSource`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function writePageSourceOnThread(
  source: PageSource,
  changes: PageChanges,
  organization: string,
): Promise<PageSource | undefined> {
  if (isShortSource(source)) return writePageSource(source, changes);
  return runOnThread(
    'writePageSource',
    { source: own(source), changes },
    { organization, characters: lengthOf(source) },
  );
}

/**
 * Runs `metaLinksOf`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function metaLinksOnThread(
  frontmatter: Uint8Array,
  organization: string,
): Promise<ReturnType<typeof metaLinksOf> | undefined> {
  if (frontmatter.length <= short.yaml) return metaLinksOf(frontmatter);
  return runOnThread('metaLinksOf', frontmatter.slice(), { organization, characters: frontmatter.length });
}

/**
 * Runs `mergeSource`, on another thread if it may take long.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function mergeSourceOnThread(
  { base, ours, theirs, choices }: SourcesToMerge,
  organization: string,
): Promise<MergedSource | undefined> {
  const all = [base, ours, theirs].filter((source) => source !== undefined);
  if (all.every(isQuickSource)) return mergeSource({ base, ours, theirs, choices });
  const characters = all.reduce((sum, source) => sum + lengthOf(source), 0);
  return runOnThread(
    'mergeSource',
    { base: base && own(base), ours: own(ours), theirs: own(theirs), choices },
    { organization, characters },
  );
}

/**
 * Runs `revertBlocks` on another thread, because it parses parts of the pages repeatedly.
 *
 * @returns undefined when it took too long or too much memory
 */
export async function revertBlocksOnThread(
  { before, now, keys }: BlocksToRevert,
  organization: string,
): Promise<RevertedBlocks | undefined> {
  return runOnThread(
    'revertBlocks',
    { before: { ...before, source: own(before.source) }, now: { ...now, source: own(now.source) }, keys },
    { organization, characters: lengthOf(before.source) + lengthOf(now.source) },
  );
}

/** A conflict of a merge states the key of its block, which requires parsing the block. */
function isQuickSource({ frontmatter, body }: PageSource): boolean {
  return frontmatter.length <= short.yaml && isQuickToParse(Buffer.from(body).toString('latin1'));
}

function isShortSource(source: PageSource | undefined): boolean {
  return !source || (source.frontmatter.length <= short.yaml && source.body.length <= short.text);
}

function lengthOf({ frontmatter, body }: PageSource): number {
  return frontmatter.length + body.length;
}

/** Copies the bytes: a view of a database reply would send the whole reply to the thread. */
function own({ frontmatter, body }: PageSource): PageSource {
  return { frontmatter: new Uint8Array(frontmatter), body: new Uint8Array(body) };
}
