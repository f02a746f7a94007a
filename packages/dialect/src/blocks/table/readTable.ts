import type { DocumentBlock } from '@bindery/contract';
import { flagIn, oneOf, type Attributes } from '../../syntax/attributes.ts';
import { rawOf, type Element, type SourceNode } from '../../syntax/elements.ts';
import { readInlines } from '../../inline/readInlines.ts';
import { deepestBlock } from '../../tree/limits.ts';
import { paragraph, present, target, wordsOf, type Data } from '../../tree/nodes.ts';
import { picturesIn } from '../../inline/pictures.ts';
import { blocksOf, deeper, type ParseContext } from '../../tree/parseContext.ts';
import { columnId, recordId, tableBlock, type CellValue } from './tableBlock.ts';
import { ownLabel } from '../../links/writeRefs.ts';

type Row = Element[];
const columnTypes = [
  'text',
  'number',
  'checkbox',
  'files',
  'users',
  'rating',
  'select',
  'content-ref',
  'image',
] as const;

/** Reads `<table>`, also with `data-view="cards"`; content outside of cells is placed after it. */
export function readTable(element: Element, context: ParseContext): DocumentBlock[] {
  const { head, body, others } = partsOf(element);
  const inside: ParseContext = { ...deeper(context, 4), isHtml: true };
  const isPossible = context.level + 6 <= deepestBlock && (head.length > 0 || body.length > 0);
  if (!isPossible) return blocksOf(others.concat(head, ...body), { ...context, isHtml: true });

  const width = Math.max(head.length, ...body.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, index) =>
    columnOf(head[index], body[0]?.[index], inside),
  );
  const { rows, merges } = spread(body, width);
  const cells = rows.map((row) =>
    row.map(
      (cell, index) =>
        cell &&
        cellOf(cell, {
          type: columns[index]?.['type'] as string,
          context: inside,
          column: columns[index] as Data,
        }),
    ),
  );
  const table = tableBlock({
    columns,
    rows: cells,
    viewOf: (ids) => viewOf(element.attributes, { head, ids }),
    more: present({
      cellMerges: merges.length > 0 ? merges : undefined,
      fullWidth: flagIn(element.attributes, 'data-full-width'),
      search: flagIn(element.attributes, 'data-search'),
    }),
  });
  return [table, ...blocksOf(others, context)];
}

/** The rows of a table at any depth; without a `<thead>`, a first row of only `<th>` is the head. */
function partsOf(table: Element): { head: Row; body: Row[]; others: SourceNode[] } {
  const rows: { cells: Row; isHead: boolean }[] = [];
  const others: SourceNode[] = [];
  const collect = (nodes: readonly SourceNode[], isHead: boolean) => {
    for (const node of nodes) {
      if (node.kind !== 'element') others.push(node);
      else if (node.name === 'tr') {
        const cells = node.children.filter(
          (child) => child.kind === 'element' && (child.name === 'td' || child.name === 'th'),
        ) as Element[];
        others.push(...node.children.filter((child) => !cells.includes(child as Element)));
        if (cells.length > 0) rows.push({ cells, isHead });
      } else if (['thead', 'tbody', 'tfoot'].includes(node.name))
        collect(node.children, node.name === 'thead');
      else if (node.name !== 'colgroup' && node.name !== 'col') others.push(node);
    }
  };
  collect(table.children, false);
  const first = rows[0];
  const hasHead = first !== undefined && (first.isHead || first.cells.every(({ name }) => name === 'th'));
  return {
    head: hasHead ? first.cells : [],
    body: rows.slice(hasHead ? 1 : 0).map(({ cells }) => cells),
    others,
  };
}

function columnOf(head: Element | undefined, cell: Element | undefined, context: ParseContext): Data {
  const attributes: Attributes = head?.attributes ?? new Map<string, string>();
  const options = head ? selectOptions(head) : undefined;
  const type = oneOf(attributes.get('data-type'), columnTypes) ?? (options ? 'select' : 'text');
  const flow = head
    ? readInlines(
        head.children.filter((child) => !(child.kind === 'element' && child.name === 'select')),
        context,
      )
    : [];
  const title = wordsOf(paragraph(flow));
  const isMultiple = flagIn(attributes, 'data-multiple') ?? false;
  switch (type) {
    case 'text': {
      const align =
        attributes.get('align') ??
        /text-align:\s*(\w+)/.exec(attributes.get('style') ?? '')?.[1] ??
        cell?.attributes.get('align');
      const vertical = oneOf(attributes.get('valign'), ['top', 'middle', 'bottom']);
      return present({
        title,
        type,
        textAlignment: oneOf(align, ['left', 'center', 'right']) ?? 'left',
        verticalAlignment: vertical,
      });
    }
    case 'users':
      return { title, type, multiple: isMultiple };
    case 'rating': {
      const max = Number(attributes.get('data-max') ?? 5);
      return { title, type, max: Number.isFinite(max) ? max : 5 };
    }
    case 'select':
      return {
        title,
        type,
        multiple: isMultiple || (options?.isMultiple ?? false),
        options: options?.options ?? [],
      };
    case 'number':
    case 'checkbox':
    case 'files':
    case 'content-ref':
    case 'image':
      return { title, type };
  }
}

function selectOptions(head: Element) {
  const select = head.children.find((child) => child.kind === 'element' && child.name === 'select') as
    | Element
    | undefined;
  if (!select) return undefined;
  const options = select.children.flatMap((child) => {
    if (child.kind !== 'element' || child.name !== 'option') return [];
    const label = child.attributes.get('label') ?? rawOf(child.children).trim();
    return [
      { value: child.attributes.get('value') ?? label, label, color: child.attributes.get('color') ?? '' },
    ];
  });
  return { options, isMultiple: select.attributes.has('multiple') };
}

function viewOf(attributes: Attributes, { head, ids }: { head: Row; ids: string[] }): Data {
  const has = (name: string) => ids.find((_, index) => head[index]?.attributes.has(name));
  const columns = ids.filter((_, index) => !head[index]?.attributes.has('data-hidden'));
  if (attributes.get('data-view') === 'cards') {
    return present({
      type: 'cards',
      cardSize: oneOf(attributes.get('data-card-size'), ['medium', 'large']) ?? 'medium',
      columns,
      targetDefinition: has('data-card-target'),
      coverDefinition: has('data-card-cover'),
      coverDefinitionDark: has('data-card-cover-dark'),
      hideColumnTitle: flagIn(attributes, 'data-header-hidden'),
      wrap: flagIn(attributes, 'data-card-wrap'),
    });
  }
  const widths = ids.flatMap((id, index) => {
    const width = Number.parseFloat(head[index]?.attributes.get('width') ?? '');
    return Number.isFinite(width) && width >= 0 ? [[id, width] as const] : [];
  });
  return present({
    type: 'grid',
    columns,
    columnWidths: widths.length > 0 ? Object.fromEntries(widths) : undefined,
    hideHeader: flagIn(attributes, 'data-header-hidden') ?? head.length === 0,
    stickyHeader: flagIn(attributes, 'data-header-sticky'),
    stickyFirstColumn: flagIn(attributes, 'data-first-column-sticky'),
  });
}

type Merge = { anchor: { record: string; column: string }; rowSpan: number; colSpan: number };

/** Assigns each cell to its column, considering the spans of cells before and above it. */
function spread(body: readonly Row[], width: number): { rows: (Element | undefined)[][]; merges: Merge[] } {
  const taken = new Set<string>();
  const merges: Merge[] = [];
  const rows = body.map((cells, row) => {
    const columns: (Element | undefined)[] = [];
    for (const cell of cells) {
      while (taken.has(`${row} ${columns.length}`)) columns.push(undefined);
      const column = columns.length;
      columns.push(cell);
      const rowSpan = Math.min(spanOf(cell, 'rowspan'), body.length - row);
      const colSpan = Math.min(spanOf(cell, 'colspan'), Math.max(1, width - column));
      if (rowSpan * colSpan === 1) continue;
      merges.push({ anchor: { record: recordId(row), column: columnId(column) }, rowSpan, colSpan });
      for (let below = 0; below < rowSpan; below += 1) {
        for (let right = 0; right < colSpan; right += 1)
          if (below + right > 0) taken.add(`${row + below} ${column + right}`);
      }
    }
    return columns;
  });
  return { rows, merges };
}

function spanOf({ attributes }: Element, name: string): number {
  const span = Number(attributes.get(name) ?? 1);
  return Number.isInteger(span) && span >= 1 && span <= 50 ? span : 1;
}

function cellOf(
  cell: Element,
  { type, context, column }: { type: string; context: ParseContext; column: Data },
): DocumentBlock[] | CellValue | undefined {
  if (type === 'text') return blocksOf(cell.children, context);
  const words = wordsOf(paragraph(readInlines(cell.children, context))).trim();
  const links = linksIn(cell.children);
  if (type === 'select') return { value: selected(cell, column) };
  if (words === '' && links.length === 0 && picturesIn(cell.children).length === 0) return undefined;
  switch (type) {
    case 'number':
    case 'rating': {
      const value = Number(words);
      return { value: Number.isFinite(value) ? value : words };
    }
    case 'checkbox':
      return { value: /^(?:true|yes|x|✓|✔|1)$/i.test(words) };
    case 'users': {
      // Adjacent links, one for each person.
      const people = cell.children.map((child) => wordsOf(paragraph(readInlines([child], context))));
      return { value: people.flatMap((names) => names.split(',')).flatMap((name) => name.trim() || []) };
    }
    case 'files':
      return links.length > 0
        ? { value: { kind: 'targets', targets: links.map(({ url }) => url) } }
        : { value: words };
    case 'content-ref':
      return {
        value: links[0] ? present({ ...target(links[0].url), label: ownLabel(words, links[0].url) }) : words,
      };
    case 'image': {
      const src = links[0]?.url ?? picturesIn(cell.children)[0]?.attributes.get('src');
      if (!src) return { value: words };
      const objectFit = oneOf(links[0]?.fit ?? cell.attributes.get('data-object-fit'), [
        'contain',
        'fill',
        'cover',
      ]);
      const alt = links[0]?.alt ?? picturesIn(cell.children)[0]?.attributes.get('alt');
      return {
        value:
          objectFit || alt
            ? present({ ref: target(src), objectFit, alt: alt || undefined })
            : present({ ...target(src), label: ownLabel(words, src) }),
      };
    }
    default:
      return { value: words };
  }
}

type CellLink = { url: string; fit: string | undefined; alt: string | undefined };

function linksIn(nodes: readonly SourceNode[]): CellLink[] {
  return nodes.flatMap((node) => {
    if (node.kind !== 'element') return [];
    const url = node.name === 'a' ? node.attributes.get('href')?.trim() : undefined;
    return url
      ? [{ url, fit: node.attributes.get('data-object-fit'), alt: node.attributes.get('alt') }]
      : linksIn(node.children);
  });
}

/** The values of the selected options; an unknown option is added to the column. */
function selected(cell: Element, column: Data): string[] {
  const options = column['options'] as { value: string; label: string; color: string }[];
  const chosen = (nodes: readonly SourceNode[]): string[] =>
    nodes.flatMap((node) => {
      if (node.kind === 'text')
        return node.raw
          .split(',')
          .map((word) => word.trim())
          .filter((word) => word !== '');
      if (node.kind !== 'element') return [];
      const value = node.attributes.get('data-option');
      if (value === undefined) return chosen(node.children);
      if (!options.some((option) => option.value === value))
        options.push({ value, label: rawOf(node.children).trim() || value, color: '' });
      return [value];
    });
  return chosen(cell.children);
}
