import { renderInlines } from '../inline/renderInlines.ts';
import { element } from '../tree/html.ts';
import { phrasingNodes, readInlines } from '../inline/readInlines.ts';
import { htmlOfInlines } from '../inline/writeHtml.ts';
import { phrasingOf } from '../inline/writeInlines.ts';
import { htmlElement } from '../syntax/writeTags.ts';
import { paragraph as paragraphOf } from '../tree/nodes.ts';
import { blocksOf } from '../tree/parseContext.ts';
import type { Block } from './block.ts';
import { alignClass, alignOf, readAligned } from './forms/alignment.ts';
import { html } from './forms/tagWriters.ts';
import { imagesOfParagraph, picturesOnly } from './images.ts';

export const paragraph: Block = {
  nodes: {
    paragraph: ({ children }, source, context) => {
      const nodes = readInlines(phrasingNodes(children, source), context);
      if (nodes.length === 0) return [];
      return [imagesOfParagraph(nodes) ?? paragraphOf(nodes)];
    },
  },
  elements: {
    p: (element, context) => readAligned(element, { ...context, isHtml: true }),
    center: ({ children }, context) => blocksOf(children, context),
  },
  write: ({ data, nodes }, context) => {
    const align = alignOf(data['align']);
    if (align !== undefined) return [html(htmlElement('p', htmlOfInlines(nodes, context), { align }))];
    return [{ type: 'paragraph', children: phrasingOf(nodes, context) }];
  },
  render: ({ data, nodes }, context) => {
    const isEmpty = nodes.every(
      (node) => node.object === 'text' && node.leaves.every(({ text }) => text.trim() === ''),
    );
    return isEmpty ? '' : element('p', { class: alignClass(data['align']) }, renderInlines(nodes, context));
  },
  writeHtml: (block, context) =>
    picturesOnly(block, context) ??
    htmlElement('p', htmlOfInlines(block.nodes ?? [], context), { align: alignOf(block.data?.['align']) }),
};
