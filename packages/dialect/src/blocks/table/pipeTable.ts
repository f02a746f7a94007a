import type { DocumentBlock } from '@bindery/contract';
import type { Table } from 'mdast';
import { isInlineElement } from '../../syntax/elementNames.ts';
import { phrasingNodes, readInlines } from '../../inline/readInlines.ts';
import { paragraph, wordsOf } from '../../tree/nodes.ts';
import { blocksOf, deeper, type ParseContext } from '../../tree/parseContext.ts';
import { tableBlock } from './tableBlock.ts';

/** Reads a table with pipes as a grid of text. */
export function pipeTable({ align, children }: Table, source: string, context: ParseContext): DocumentBlock {
  const [head, ...rows] = children;
  const inside = deeper(context, 4);
  const cells = (row: Table['children'][number]) =>
    row.children.map((cell) => {
      const nodes = phrasingNodes(cell.children, source);
      if (nodes.some((node) => node.kind === 'element' && !isInlineElement(node.name)))
        return blocksOf(nodes, { ...inside, isHtml: true });
      const flow = readInlines(nodes, inside);
      return flow.length > 0 ? [paragraph(flow)] : [];
    });
  const titles = head ? cells(head).map((blocks) => blocks.map(wordsOf).join(' ')) : [];
  return tableBlock({
    columns: titles.map((title, index) => ({ title, type: 'text', textAlignment: align?.[index] ?? 'left' })),
    rows: rows.map(cells),
    viewOf: (columns) => ({ type: 'grid', columns, hideHeader: false }),
  });
}
