import type { DocumentBlock } from '@bindery/contract';
import type { Nodes } from 'mdast';
import type { NodeReaders, ReadNode } from '../blocks/block.ts';
import { blocks } from '../blocks/blocks.ts';
import { imagesOfParagraph } from '../blocks/images.ts';
import { readInlines } from '../inline/readInlines.ts';
import { isInlineElement, isKnownElement } from '../syntax/elementNames.ts';
import { buildElements, rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { tokenizeFlow } from '../syntax/tokenizeFlow.ts';
import { sourceOfNode } from '../syntax/sourceOfNode.ts';
import { paragraph, plainParagraph } from '../tree/nodes.ts';
import type { ParseContext } from '../tree/parseContext.ts';
import { blockTags, parseMarkdown } from './blockTags.ts';
import { readElement } from './readElement.ts';

/** Reads sibling nodes as blocks. Text between elements becomes paragraphs. */
export function readBlocks(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[] {
  const made: DocumentBlock[] = [];
  let run: SourceNode[] = [];
  const endRun = () => {
    if (run.length > 0) made.push(...readRun(run, context));
    run = [];
  };
  for (const node of nodes) {
    if (
      node.kind === 'text' ||
      (node.kind === 'element' && isInline(node)) ||
      (node.kind === 'node' && isPhrasing(node.node))
    )
      run.push(node);
    else {
      endRun();
      if (node.kind === 'element') made.push(...readElement(node, context));
      else made.push(...readNode(node.node, node.source, context));
    }
  }
  endRun();
  return made;
}

/** Reads the children of a Markdown node as blocks. */
export function readChildren(
  children: readonly Nodes[],
  source: string,
  context: ParseContext,
): DocumentBlock[] {
  const tokens = tokenizeFlow(children, source, {
    tags: blockTags,
    parseMarkdown,
    isQuoted: context.isQuoted,
  });
  return readBlocks(buildElements(tokens, { isKnownElement, tags: blockTags }), context);
}

const phrasing: ReadonlySet<Nodes['type']> = new Set<Nodes['type']>([
  ...([
    'text',
    'strong',
    'emphasis',
    'delete',
    'inlineCode',
    'break',
    'link',
    'linkReference',
    'image',
    'imageReference',
  ] as const),
  ...(['inlineMath', 'footnoteReference'] as const),
]);

function isPhrasing({ type }: Nodes): boolean {
  return phrasing.has(type);
}

function isInline(element: Element): boolean {
  if (element.form === 'tag' || !isInlineElement(element.name)) return false;
  return element.children.every(
    (child) => child.kind === 'text' || (child.kind === 'node' ? isPhrasing(child.node) : isInline(child)),
  );
}

/**
 * Reads text and inline elements outside of blocks. Unless it is in an HTML block, the text may be Markdown.
 */
function readRun(run: readonly SourceNode[], context: ParseContext): DocumentBlock[] {
  if (run.every((node) => node.kind === 'text' && node.raw.trim() === '')) return [];
  const hasText = run.some((node) => node.kind === 'text' && node.raw.trim() !== '');
  if (hasText && !context.isHtml && !context.isReread) {
    const source = withoutIndent(rawOf(run));
    return readChildren(parseMarkdown(source).children, source, { ...context, isReread: true });
  }
  const nodes = readInlines(run, { ...context, isHtml: true });
  if (nodes.length === 0) return [];
  return [imagesOfParagraph(nodes) ?? paragraph(nodes)];
}

/** Removes the indentation of HTML, which Markdown would take for code. */
function withoutIndent(source: string): string {
  return source.replaceAll(/^[ \t]+/gm, '').trim();
}

function readNode(node: Nodes, source: string, context: ParseContext): DocumentBlock[] {
  const read = readers[node.type] as ReadNode | undefined;
  return read ? read(node, source, context) : [plainParagraph(sourceOfNode(node, source))];
}

const readers: NodeReaders = {
  ...Object.assign({}, ...Object.values(blocks).map((block) => block.nodes)),
  // Definitions are used by the links that refer to them.
  definition: () => [],
  footnoteDefinition: () => [],
};
