import type { DocumentBlock } from '@bindery/contract';
import type { BlockContent, DefinitionContent, List, ListItem, Nodes, Paragraph } from 'mdast';
import { buildElements, rawOf, type Element, type SourceNode } from '../syntax/elements.ts';
import { isInlineElement, isKnownElement } from '../syntax/elementNames.ts';
import { flowPieces } from '../syntax/flowPieces.ts';
import { sourceOfNode } from '../syntax/sourceOfNode.ts';
import { phrasingNodes, readInlines } from '../inline/inlines.ts';
import { contained } from '../tree/containers.ts';
import { parseMarkdown } from '../syntax/markdownSyntax.ts';
import { block, paragraph, plainParagraph, present } from '../tree/nodes.ts';
import { imagesOfParagraph } from '../inline/pictures.ts';
import { deeper, type ParseContext } from '../tree/parseContext.ts';
import { readElement } from './readElement.ts';
import { pipeTable } from './pipeTable.ts';
import { deepestBlock } from '../tree/limits.ts';
import { codeBlock } from './codeBlock.ts';
import { readHeading } from './readHeading.ts';

/** Reads what stands side by side as blocks. Lines of text between elements are paragraphs. */
export function readBlocks(nodes: readonly SourceNode[], context: ParseContext): DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let run: SourceNode[] = [];
  const endRun = () => {
    if (run.length > 0) blocks.push(...readRun(run, context));
    run = [];
  };
  for (const node of nodes) {
    if (node.kind === 'text' || (node.kind === 'element' && isInline(node)) || (node.kind === 'node' && isPhrasing(node.node)))
      run.push(node);
    else {
      endRun();
      if (node.kind === 'element') blocks.push(...readElement(node, context));
      else blocks.push(...readNode(node.node, node.source, context));
    }
  }
  endRun();
  return blocks;
}

/** The children of a node of Markdown as blocks. */
export function readChildren(children: readonly Nodes[], source: string, context: ParseContext): DocumentBlock[] {
  return readBlocks(buildElements(flowPieces(children, source, context), isKnownElement), context);
}

const phrasing: ReadonlySet<Nodes['type']> = new Set<Nodes['type']>([
  ...(['text', 'strong', 'emphasis', 'delete', 'inlineCode', 'break', 'link', 'linkReference', 'image', 'imageReference'] as const),
  ...(['inlineMath', 'footnoteReference'] as const),
]);

function isPhrasing({ type }: Nodes): boolean {
  return phrasing.has(type);
}

function isInline(element: Element): boolean {
  if (element.form === 'tag' || !isInlineElement(element.name)) return false;
  return element.children.every((child) => child.kind === 'text' || (child.kind === 'node' ? isPhrasing(child.node) : isInline(child)));
}

/** Text and inline elements that no block holds. Outside of HTML's own blocks, Markdown may be meant. */
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

/** Indentation of HTML is none of Markdown. */
function withoutIndent(source: string): string {
  return source.replaceAll(/^[ \t]+/gm, '').trim();
}

type Read<N extends Nodes = Nodes> = (node: N, source: string, context: ParseContext) => DocumentBlock[];

function readNode(node: Nodes, source: string, context: ParseContext): DocumentBlock[] {
  const read = readers[node.type] as Read | undefined;
  return read ? read(node, source, context) : [plainParagraph(sourceOfNode(node, source))];
}

const readers: { [Type in Nodes['type']]?: Read<Extract<Nodes, { type: Type }>> } = {
  paragraph: readParagraph,
  heading: ({ depth, children }, source, context) => [readHeading(depth, phrasingNodes(children, source), context)],
  thematicBreak: () => [block('divider', { data: {} })],
  code: ({ lang, meta, value }) => [codeBlock(value, present({ syntax: lang ?? undefined, meta: meta ?? undefined }))],
  math: ({ meta, value }) => [block('math', { data: { formula: [meta, value].filter(Boolean).join('\n') } })],
  table: ifRoom(4, (node, source, context) => [pipeTable(node, source, context)]),
  blockquote: ifRoom(2, ({ children }, source, context) => {
    const blocks = readChildren(children, source, { ...deeper(context, 2), isQuoted: true });
    return contained(blocks, { container: 'blockquote', make: (nodes) => block('blockquote', { nodes }) });
  }),
  list: ifRoom(4, readList),
  // They are where something refers to them.
  definition: () => [],
  footnoteDefinition: () => [],
};

/** What nests deeper than a tree may is its source. */
function ifRoom<N extends Nodes>(levels: number, read: Read<N>): Read<N> {
  return (node, source, context) =>
    context.level + levels > deepestBlock ? [plainParagraph(sourceOfNode(node, source))] : read(node, source, context);
}

function readParagraph(node: Paragraph, source: string, context: ParseContext): DocumentBlock[] {
  const nodes = readInlines(phrasingNodes(node.children, source), context);
  if (nodes.length === 0) return [];
  return [imagesOfParagraph(nodes) ?? paragraph(nodes)];
}

function readList(node: List, source: string, context: ParseContext): DocumentBlock[] {
  const isTasks = node.children.some(({ checked }) => typeof checked === 'boolean');
  const items = node.children.flatMap((item) => readItem(item, { source, context: deeper(context, 4), isTasks }));
  const start = node.start ?? 1;
  return contained(items, {
    container: isTasks ? 'list-tasks' : node.ordered ? 'list-ordered' : 'list-unordered',
    make: (nodes, index) => {
      if (isTasks) return block('list-tasks', { nodes });
      if (!node.ordered) return block('list-unordered', { nodes });
      return block('list-ordered', { data: start + index === 1 ? {} : { start: start + index }, nodes });
    },
  });
}

/** An item up to what may not stand in it; that and all that follows in the item stand after the list, which goes on with the next item. */
function readItem(
  item: ListItem,
  { source, context, isTasks }: { source: string; context: ParseContext; isTasks: boolean },
): DocumentBlock[] {
  const blocks = readChildren(item.children as (BlockContent | DefinitionContent)[], source, context);
  const pieces = contained(blocks, {
    container: 'list-item',
    hasTitle: true,
    make: (nodes) => block('list-item', { ...(isTasks && { data: { checked: item.checked === true } }), nodes }),
  });
  return pieces.flatMap((each, index) => (index > 0 && each.type === 'list-item' ? (each.nodes as DocumentBlock[]) : [each]));
}
