import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { PhrasingContent, RootContent } from 'mdast';
import { trimmed } from '../../inline/trimmed.ts';
import { phrasingOf, textNodes } from '../../inline/writeInlines.ts';
import { htmlWords, said } from '../../inline/writeHtml.ts';
import type { Data } from '../../tree/nodes.ts';
import type { WriteContext } from '../../tree/writeContext.ts';
import { htmlOfCell } from '../forms/cell.ts';
import { nameOfTarget } from '../../links/writeRefs.ts';
import { htmlElement, htmlText, wordIn, type Attributes } from '../../syntax/writeTags.ts';
import { mergesOf, scalarText, tableOf, type Column, type Table } from './tableOf.ts';

/** Writes a table with pipes if that loses nothing, otherwise as HTML on one line. */
export function tableNode(block: DocumentBlock, context: WriteContext): RootContent[] {
  const table = tableOf(block);
  if (table.columns.length === 0) return [];
  return [isSimple(table) ? pipeTable(table, context) : { type: 'html', value: htmlTable(table, context) }];
}

/** Writes any table as HTML. */
export function htmlOfTable(block: DocumentBlock, context: WriteContext): string {
  return htmlTable(tableOf(block), context);
}

const plainView = new Set(['type', 'columns', 'hideHeader', 'columnWidths']);

function isSimple({ view, data, columns, shown, rows, fragments }: Table): boolean {
  if (
    view['type'] !== 'grid' ||
    view['hideHeader'] === true ||
    Object.keys((view['columnWidths'] ?? {}) as Data).length > 0
  )
    return false;
  if (Object.entries(view).some(([key, value]) => !plainView.has(key) && value !== undefined)) return false;
  if (
    data['fullWidth'] !== undefined ||
    data['search'] !== undefined ||
    ((data['cellMerges'] ?? []) as unknown[]).length > 0
  )
    return false;
  if (
    columns.some(
      ({ id, type, verticalAlignment }) =>
        type !== 'text' || verticalAlignment !== undefined || !shown.has(id),
    )
  )
    return false;
  return rows.every(({ values }) =>
    columns.every(({ id }) => isSimpleCell(fragments.get(scalarText(values[id])) ?? [])),
  );
}

function isSimpleCell(nodes: readonly DocumentNode[]): boolean {
  const [first] = nodes;
  if (first === undefined) return true;
  return (
    nodes.length === 1 &&
    first.object === 'block' &&
    first.type === 'paragraph' &&
    first.data?.['align'] === undefined
  );
}

const textAligns: Record<string, 'center' | 'right'> = { center: 'center', right: 'right' };

function pipeTable({ columns, rows, fragments }: Table, context: WriteContext): RootContent {
  const cell = (children: PhrasingContent[]) => ({
    type: 'tableCell' as const,
    children: onOneLine(children),
  });
  const head = columns.map(({ title }) => cell(textNodes(title)));
  const body = rows.map(({ values }) =>
    columns.map(({ id }) => {
      const value = scalarText(values[id]);
      const [paragraph] = fragments.get(value) ?? [];
      if (paragraph?.object === 'block') return cell(phrasingOf(trimmed(paragraph.nodes ?? []), context));
      return cell(fragments.has(value) ? [] : textNodes(value));
    }),
  );
  return {
    type: 'table',
    align: columns.map(({ textAlignment }) => textAligns[scalarText(textAlignment)] ?? null),
    children: [head, ...body].map((children) => ({ type: 'tableRow', children })),
  };
}

/** A row of a table with pipes must be one line. */
function onOneLine(children: PhrasingContent[]): PhrasingContent[] {
  return children.map((child): PhrasingContent => {
    if (child.type === 'break') return { type: 'html', value: '<br>' };
    if (child.type === 'html') return { type: 'html', value: child.value.replaceAll('|', '&#x7C;') };
    return 'children' in child
      ? ({ ...child, children: onOneLine(child.children) } as PhrasingContent)
      : child;
  });
}

function htmlTable(table: Table, context: WriteContext): string {
  const { view, data, columns, rows } = table;
  const isCards = view['type'] === 'cards';
  const yes = (value: unknown) => (value === true ? true : said(value));
  const attributes: Attributes = {
    'data-card-size': isCards && view['cardSize'] === 'large' ? 'large' : undefined,
    'data-card-wrap': said(view['wrap']),
    'data-view': isCards ? 'cards' : undefined,
    'data-header-hidden': isCards ? yes(view['hideColumnTitle']) : view['hideHeader'] === true,
    'data-header-sticky': yes(view['stickyHeader']),
    'data-first-column-sticky': yes(view['stickyFirstColumn']),
    'data-new-sizing': said(view['useNewSizing']),
    'data-full-width': said(data['fullWidth']),
    'data-search': said(data['search']),
  };
  const merges = mergesOf(table);
  const head = columns.map((column) => headCell(column, table)).join('');
  const body = rows.map((row) => {
    const cells = columns.map((column) => {
      const merge = merges.get(`${row.id}\n${column.id}`);
      if (merge === 'covered') return '';
      return htmlElement('td', cellContent(row.values[column.id], { column, table, context }), merge);
    });
    return htmlElement('tr', cells.join(''));
  });
  return htmlElement(
    'table',
    htmlElement('thead', htmlElement('tr', head)) + htmlElement('tbody', body.join('')),
    attributes,
  );
}

function headCell({ id, title, type, ...column }: Column, { view, shown }: Table): string {
  const widths = (view['columnWidths'] ?? {}) as Record<string, number>;
  const align = column['textAlignment'];
  const options = ((column['options'] ?? []) as Record<string, string>[]).map((option) =>
    htmlElement('option', '', { value: option['value'], label: option['label'], color: option['color'] }),
  );
  const select =
    type === 'select'
      ? htmlElement('select', options.join(''), { multiple: column['multiple'] === true })
      : '';
  return htmlElement('th', htmlWords(title) + select, {
    width: widths[id],
    align: typeof align === 'string' ? textAligns[align] : undefined,
    valign: column['verticalAlignment'] as string | undefined,
    'data-hidden': !shown.has(id),
    'data-card-target': view['targetDefinition'] === id,
    'data-card-cover': view['coverDefinition'] === id,
    'data-card-cover-dark': view['coverDefinitionDark'] === id,
    'data-type': type === 'text' || type === 'select' ? undefined : type,
    'data-multiple': type === 'users' && column['multiple'] === true,
    'data-max': type === 'rating' ? Number(column['max']) : undefined,
  });
}

type CellPlace = { column: Column; table: Table; context: WriteContext };

function cellContent(value: unknown, { column, table, context }: CellPlace): string {
  if (value === null || value === undefined) return '';
  if (column.type === 'text') {
    const nodes = table.fragments.get(scalarText(value));
    return nodes ? htmlOfCell(nodes, context) : htmlWords(scalarText(value));
  }
  if (Array.isArray((value as Data)['targets']))
    return ((value as Data)['targets'] as string[])
      .map((target) => reference({ kind: 'target', target }, context))
      .join('');
  if (Array.isArray(value))
    return value
      .map((each: unknown) => memberOf(String(each), { column, table, context }))
      .join(column.type === 'users' ? ', ' : '');
  if (typeof value === 'object') return reference(value as Data, context);
  return column.type === 'select'
    ? memberOf(scalarText(value), { column, table, context })
    : htmlText(scalarText(value));
}

function memberOf(value: string, { column, context }: CellPlace): string {
  if (column.type === 'users') return htmlText(value);
  if (column.type === 'select') {
    const options = (column['options'] ?? []) as Record<string, string>[];
    const label = options.find((option) => option['value'] === value)?.['label'] ?? value;
    return htmlElement('span', htmlText(label), { 'data-option': value });
  }
  return reference({ kind: 'file', file: value }, context);
}

/** Writes a plain reference, or one with image options. */
function reference(value: Data, context: WriteContext): string {
  if (value['kind'] !== undefined) {
    const target = context.targetOf(value);
    return htmlElement('a', htmlWords(wordIn(value, 'label') || nameOfTarget(target)), { href: target });
  }
  const href = context.targetOf(value['ref']);
  const fit = value['objectFit'] as string | undefined;
  return htmlElement('a', htmlText(nameOfTarget(href)), {
    href,
    'data-object-fit': fit,
    alt: value['alt'] as string | undefined,
  });
}
