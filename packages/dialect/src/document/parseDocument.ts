import type { DocumentBlock, DocumentTree } from '@bindery/contract';
import { emptyDocument, mayStandIn } from '@bindery/contract/documentPlaces';
import type { Nodes, Root } from 'mdast';
import { fillEmpty } from './emptyBlocks.ts';
import { giveAnchors } from './headingAnchors.ts';
import { giveKeys, giveSameKey } from './nodeKeys.ts';
import { shrunkToLimits, truncated } from './shrinkToLimits.ts';
import { sourceOfNode } from '../syntax/sourceOfNode.ts';
import { maxCharacters, maxLines, maxSource } from '../tree/limits.ts';
import { resetWork } from '../syntax/markdownParser.ts';
import { plainParagraph } from '../tree/nodes.ts';
import type { Page, ParseContext } from '../tree/parseContext.ts';
import { parseMarkdown } from './blockTags.ts';
import { readBlocks, readChildren } from './readBlocks.ts';

/**
 * Parses the body of a page, in the dialect of docs/dialect.md, to a document tree.
 *
 * References stay as written (`{kind: 'target', target}`), so that the tree depends only on the text;
 * `resolveDocument` makes it ready to be shown. HTML comments are dropped. Unknown syntax becomes a paragraph
 * of its source, and so does a whole page that would take too long or exceed the limits of a tree. Never
 * throws; the longest pages take about a second.
 *
 * @param markdown  the page after its title; see `withoutTitle`
 */
export function parseDocument(markdown: string): DocumentTree {
  return treeOf(markdown, { giveKeys });
}

/**
 * Parses a page like `parseDocument`, but all nodes have the same key, which saves a tenth of the time.
 *
 * @param root  the same text as `sourceParser` has parsed it, which takes most of the time
 */
export function parseWithoutKeys(markdown: string, root?: Root): DocumentTree {
  return treeOf(markdown, { root, giveKeys: giveSameKey });
}

function treeOf(
  markdown: string,
  { root, giveKeys: give }: { root?: Root | undefined; giveKeys: typeof giveKeys },
): DocumentTree {
  const source = readable(markdown);
  const parsed = source === markdown ? root : undefined;
  const nodes = isTooLong(source) ? textOnly(source) : (readPage(source, parsed) ?? textOnly(source));
  fillEmpty(nodes);
  giveAnchors(nodes);
  give(nodes);
  return { ...emptyDocument, nodes: shrunkToLimits(nodes) };
}

function isTooLong(source: string): boolean {
  if (source.length > maxSource) return true;
  let lines = 0;
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) lines += 1;
  return lines > maxLines;
}

/** Replaces characters that JSON cannot store, and normalizes line endings. */
function readable(markdown: string): string {
  const text = markdown.includes('\r') ? markdown.replaceAll(/\r\n?/g, '\n') : markdown;
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}

function readPage(source: string, parsed: Root | undefined): DocumentBlock[] | undefined {
  resetWork();
  try {
    const root = parsed ?? parseMarkdown(source);
    const page = pageOf(root, source);
    const context: ParseContext = {
      page,
      level: 3,
      isHtml: false,
      isQuoted: false,
      isReread: false,
      isAnnotation: false,
    };
    const blocks = readChildren(root.children, source, context).filter(({ type }) => mayStandIn('top', type));
    const unused = [...page.footnotes.values()]
      .filter(({ isUsed }) => !isUsed)
      .map(({ definition }) => definition);
    for (const definition of [...unused, ...page.repeated])
      blocks.push(plainParagraph(sourceOfNode(definition, source)));
    return blocks;
  } catch {
    // TooMuchWork, or nesting that overflows the parser's stack.
    return undefined;
  }
}

function pageOf(root: Root, source: string): Page {
  const page: Page = {
    footnotes: new Map(),
    repeated: [],
    definitions: new Map(),
    blocksOf: readBlocks,
    childrenOf: readChildren,
  };
  const collect = (nodes: readonly Nodes[]) => {
    for (const node of nodes) {
      if (node.type === 'definition' && !page.definitions.has(node.identifier))
        page.definitions.set(node.identifier, node);
      if (node.type === 'footnoteDefinition') {
        if (page.footnotes.has(node.identifier)) page.repeated.push(node);
        else page.footnotes.set(node.identifier, { definition: node, source, isUsed: false });
      } else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem')
        collect(node.children);
    }
  };
  collect(root.children);
  return page;
}

/** The whole page as one paragraph, cut at the limit of a tree. */
function textOnly(source: string): DocumentBlock[] {
  return [plainParagraph(truncated(source.trim(), maxCharacters))];
}
