import { computeOnce, findDocument, markdownOf, parseForVisitors, parseOnThread } from '@bindery/content';
import { withoutConditional } from '@bindery/dialect';
import { withoutTitle } from '@bindery/dialect/syntax';
import type { DocumentTree } from '@bindery/contract';
import { LRUCache } from 'lru-cache';
import { asSource } from './asSource.ts';

const cacheBytes = 64 * 1024 * 1024;
/** How long the source is shown in place of a text that could not be parsed in time. */
const unreadableMs = 60_000;
/** In characters. */
const keptFromLength = 2_000;

type Source = {
  organization: string;
  hash: string;
  /** The title of the page, whose line is not part of the document. Absent for a reusable content. */
  title?: string | undefined;
  /** Omits conditional blocks that the parser did not understand, because their audience is unknown. */
  isForVisitor: boolean;
};

/**
 * A source never changes, so its tree stays cached while there is room. Concurrent readers of a page share
 * one parse.
 */
const parsed = new LRUCache<string, DocumentTree, Source>({
  maxSize: cacheBytes,
  // The tree takes more memory as objects than as text.
  sizeCalculation: (tree) => 200 + 4 * JSON.stringify(tree).length,
  // Without it, a parse that other documents push out of the cache fails for its readers.
  ignoreFetchAbort: true,
  fetchMethod: async (_key, _stale, { context, options }) => {
    const markdown = await loadMarkdown(context);
    const tree = await parse(markdown, context);
    // The machine may have been slow, so a later request tries again.
    if (tree) return tree;
    options.ttl = unreadableMs;
    const substitute = asSource(context.isForVisitor ? withoutConditional(markdown) : markdown);
    substitutes.add(substitute);
    return substitute;
  },
});

const substitutes = new WeakSet<DocumentTree>();

/** Whether a document is a substitute for one that could not be parsed in time. */
export function isSubstitute(document: DocumentTree): boolean {
  return substitutes.has(document);
}

/**
 * Parses a stored source into a tree with unresolved references, which is the same wherever it is used. The
 * tree is shared and must not be modified.
 */
export async function loadParsedDocument(source: Source): Promise<DocumentTree> {
  const { organization, hash, title, isForVisitor } = source;
  return parsed.forceFetch(JSON.stringify([organization, hash, title, isForVisitor]), { context: source });
}

/** @returns undefined on a timeout */
async function parse(
  markdown: string,
  { isForVisitor, ...source }: Source,
): Promise<DocumentTree | undefined> {
  const { organization } = source;
  if (!isForVisitor) {
    const compute = async () => parseOnThread(markdown, organization);
    // A short text is parsed faster than a tree is found.
    if (markdown.length < keptFromLength) return compute();
    return computeOnce({ input: JSON.stringify(['parsed document', organization, markdown]), compute });
  }
  const tree = await loadParsedDocument({ ...source, isForVisitor: false });
  if (isSubstitute(tree)) return undefined;
  return parseForVisitors(markdown, tree, organization);
}

async function loadMarkdown({ organization, hash, title }: Omit<Source, 'isForVisitor'>): Promise<string> {
  const source = await findDocument(organization, hash);
  if (!source) throw new Error(`The document ${hash} is missing.`);
  const markdown = markdownOf(source);
  return title === undefined ? markdown : withoutTitle(markdown, title);
}
