import { findDocument, markdownOf, parseOnThread, parseForVisitors } from '@bindery/content';
import { withoutConditional } from '@bindery/dialect';
import { withoutTitle } from '@bindery/dialect/syntax';
import type { DocumentTree } from '@bindery/contract';
import { LRUCache } from 'lru-cache';
import { asSource } from './asSource.ts';

const cacheBytes = 64 * 1024 * 1024;
/** How long a text that could not be read in time is shown as its source. */
const unreadableMs = 60_000;

type Source = {
  organization: string;
  hash: string;
  /** Of the page: the line that says it is no part of the document. Absent for a reusable content. */
  title?: string | undefined;
  /**
   * Leaves out what stands in conditional blocks that the parser did not understand: nobody can decide whom
   * they are for.
   */
  isForVisitor: boolean;
};

/**
 * A source never changes, so its tree is kept as long as there is room. Two readers of one page wait for one
 * parse.
 */
const parsed = new LRUCache<string, DocumentTree, Source>({
  maxSize: cacheBytes,
  // As objects the tree takes more than as text.
  sizeCalculation: (tree) => 200 + 4 * JSON.stringify(tree).length,
  fetchMethod: async (_key, _stale, { context, options }) => {
    const markdown = await loadMarkdown(context);
    const tree = await parse(markdown, context);
    // It may have been the machine that was slow: another try later.
    if (tree) return tree;
    options.ttl = unreadableMs;
    const substitute = asSource(context.isForVisitor ? withoutConditional(markdown) : markdown);
    substitutes.add(substitute);
    return substitute;
  },
});

const substitutes = new WeakSet<DocumentTree>();

/** Whether a document only stands in for one that could not be read in time. */
export function isSubstitute(document: DocumentTree): boolean {
  return substitutes.has(document);
}

/**
 * A stored source as a tree whose references are still what is written: the same wherever it stands. Shared:
 * nobody may change it.
 */
export async function loadParsedDocument(source: Source): Promise<DocumentTree> {
  const { organization, hash, title, isForVisitor } = source;
  return parsed.forceFetch(JSON.stringify([organization, hash, title, isForVisitor]), { context: source });
}

/** @returns undefined when it took too long */
async function parse(
  markdown: string,
  { isForVisitor, ...source }: Source,
): Promise<DocumentTree | undefined> {
  if (!isForVisitor) return parseOnThread(markdown, source.organization);
  const tree = await loadParsedDocument({ ...source, isForVisitor: false });
  if (isSubstitute(tree)) return undefined;
  return parseForVisitors(markdown, tree, source.organization);
}

async function loadMarkdown({ organization, hash, title }: Omit<Source, 'isForVisitor'>): Promise<string> {
  const source = await findDocument(organization, hash);
  if (!source) throw new Error(`The document ${hash} is missing.`);
  const markdown = markdownOf(source);
  return title === undefined ? markdown : withoutTitle(markdown, title);
}
