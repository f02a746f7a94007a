import { renderInlines } from '../inline/renderInlines.ts';
import { element } from '../tree/html.ts';
import type { DocumentBlock } from '@bindery/contract';
import type { Heading } from 'mdast';
import { phrasingNodes, readInlines } from '../inline/readInlines.ts';
import { htmlOfInlines } from '../inline/writeHtml.ts';
import { phrasingOf } from '../inline/writeInlines.ts';
import { oneOf } from '../syntax/attributes.ts';
import { rawOf, type SourceNode } from '../syntax/elements.ts';
import { htmlElement } from '../syntax/writeTags.ts';
import { anchorTag, maxAnchorLength, writtenAnchor } from '../tree/anchors.ts';
import { block, present, text, type Flow } from '../tree/nodes.ts';
import type { ParseContext } from '../tree/parseContext.ts';
import type { Block, ReadElement, WriteBlock } from './block.ts';
import { alignClass, alignIn, alignOf } from './forms/alignment.ts';
import { html } from './forms/tagWriters.ts';

// The title of a page is its level 1 heading, so h1 and h2 in its body have the same level.
export const heading1: Block = {
  ...headingOfDepth(2),
  elements: { h1: readElement, h2: readElement },
  nodes: { heading: readNode },
};
export const heading2: Block = { ...headingOfDepth(3), elements: { h3: readElement } };
export const heading3: Block = {
  ...headingOfDepth(4),
  elements: { h4: readElement, h5: readElement, h6: readElement },
};

const headingTypes = ['heading-1', 'heading-1', 'heading-2', 'heading-3', 'heading-3', 'heading-3'] as const;

function readNode({ depth, children }: Heading, source: string, context: ParseContext): DocumentBlock[] {
  return [readHeading(depth, phrasingNodes(children, source), context)];
}

function readElement(...[{ name, attributes, children }, context]: Parameters<ReadElement>): DocumentBlock[] {
  const align = oneOf(alignIn(attributes), ['start', 'center', 'end']);
  const made = readHeading(Number(name.slice(1)), children, { ...context, isHtml: true }, align);
  const id = attributes.get('id');
  return [id && !made.meta ? { ...made, meta: { id } } : made];
}

/** Reads a heading of level 1 to 6 as one of three levels, all below the page's title. */
function readHeading(
  depth: number,
  content: readonly SourceNode[],
  context: ParseContext,
  align?: string,
): DocumentBlock {
  const { nodes, id } = takeAnchor(content);
  const flow = readInlines(nodes, context);
  trimEnd(flow);
  const isSlug = id !== undefined && /^[-a-z0-9.+_]+$/.test(id);
  return block(headingTypes[depth - 1] ?? 'heading-3', {
    data: present({ id: isSlug ? id : undefined, align }),
    nodes: flow.length > 0 ? flow : [text([])],
    ...(id !== undefined && { meta: { id } }),
  });
}

/** Drops the separator between a title and its anchor. */
function trimEnd(flow: Flow[]): void {
  const last = flow.at(-1);
  const end = last?.object === 'text' ? last.leaves.at(-1) : undefined;
  if (end) end.text = end.text.trimEnd();
}

/** Removes `<a href="#id" id="id"></a>` from a heading and returns its id, the anchor of the heading. */
function takeAnchor(content: readonly SourceNode[]): { nodes: SourceNode[]; id?: string } {
  let id: string | undefined;
  const nodes = content.filter((node) => {
    if (node.kind !== 'element' || node.name !== 'a' || rawOf(node.children).trim() !== '') return true;
    const name = (node.attributes.get('id') ?? node.attributes.get('name') ?? '').trim();
    if (name === '' || name.length > maxAnchorLength) return true;
    id ??= name;
    return false;
  });
  return id === undefined ? { nodes } : { nodes, id };
}

function headingOfDepth(depth: 2 | 3 | 4): Block {
  const name = `h${depth}` as const;
  const write: WriteBlock = ({ data, nodes, meta }, context) => {
    const align = alignOf(data['align']);
    const id = writtenAnchor({ data, nodes, meta });
    const anchor = id === '' ? '' : anchorTag(id);
    if (align !== undefined)
      return [html(htmlElement(name, htmlOfInlines(nodes, context) + anchor, { align }))];
    const children = phrasingOf(nodes, context);
    return [
      {
        type: 'heading',
        depth,
        children:
          anchor === ''
            ? children
            : [...children, { type: 'text', value: ' ' }, { type: 'html', value: anchor }],
      },
    ];
  };
  return {
    write,
    // The renderer closes gaps between levels, and gives ids to headings without one.
    render: ({ data, nodes, meta }, context) =>
      element(
        name,
        { id: meta && context.idOf(meta.id), class: alignClass(data['align']) },
        renderInlines(nodes, context),
      ),
    writeHtml: ({ data = {}, nodes = [] }, context) =>
      htmlElement(name, htmlOfInlines(nodes, context), { align: alignOf(data['align']) }),
  };
}
