import { missingPicture } from '../../inline/renderInlines.ts';
import { wordIn } from '../../syntax/writeTags.ts';
import { classes, element, type Html, type HtmlAttributes } from '../../tree/html.ts';
import type { Data } from '../../tree/nodes.ts';
import type { RenderContext } from '../../tree/renderContext.ts';
import type { FullBlock } from '../block.ts';
import { tagOf } from '../forms/tagOf.ts';
import { taskBox } from '../forms/taskBox.ts';
import { mergesOf, scalarText, tableOf, type Column, type Table } from './tableOf.ts';

type Row = Table['rows'][number];

/** Renders a table as a grid with repeated heads, or as cards. */
export function renderTable(block: FullBlock, context: RenderContext): Html {
  const table = tableOf(block);
  if (table.view['type'] === 'cards') return renderCards(table, context);
  const columns = table.columns.filter(({ id }) => table.shown.has(id));
  if (columns.length === 0) return '';
  const isHeadShown = table.view['hideHeader'] !== true && columns.some(({ title }) => title.trim() !== '');
  return element(
    'div',
    { class: 'table' },
    element('table', {}, [
      widthsOf(columns, table.view),
      isHeadShown ? headOf(columns) : '',
      element('tbody', {}, rowsOf({ ...table, columns }, context)),
    ]),
  );
}

function widthsOf(columns: readonly Column[], view: Data): Html {
  const widths = (view['columnWidths'] ?? {}) as Record<string, number>;
  const sum = columns.reduce((total, { id }) => total + (widths[id] ?? 0), 0);
  if (sum <= 0 || columns.some(({ id }) => !(Number(widths[id]) > 0))) return '';
  const shares = columns.map(({ id }) =>
    element('col', { width: `${Math.round(((widths[id] ?? 0) / sum) * 1000) / 10}%` }),
  );
  return element('colgroup', {}, shares);
}

function headOf(columns: readonly Column[]): Html {
  const cells = columns.map((column) =>
    element('th', { scope: 'col', class: alignmentOf(column) }, column.title),
  );
  return element('thead', {}, element('tr', {}, cells));
}

function rowsOf(table: Table, context: RenderContext): Html {
  const merges = mergesOf(table);
  return table.rows.map((row) => {
    const cells = table.columns.flatMap((column, index) => {
      const merge = merges.get(`${row.id}\n${column.id}`);
      if (merge === 'covered') return [];
      const colspan = Math.min(Number(merge?.['colspan'] ?? 1), table.columns.length - index);
      const attributes: HtmlAttributes = {
        class: alignmentOf(column),
        rowspan: merge?.['rowspan'] as number | undefined,
        colspan: colspan > 1 ? colspan : undefined,
      };
      return [element('td', attributes, cellOf(row, column, { table, context }))];
    });
    return element('tr', {}, cells);
  });
}

function alignmentOf(column: Column): string | undefined {
  if (column.type === 'number' || column.type === 'rating') return 'right';
  const align = column['textAlignment'];
  return align === 'center' || align === 'right' ? align : undefined;
}

function renderCards(table: Table, context: RenderContext): Html {
  const { view, rows, columns, shown } = table;
  if (rows.length === 0) return '';
  const target = columns.find(({ id }) => id === view['targetDefinition']);
  const cover = columns.find(({ id }) => id === view['coverDefinition']);
  const isTitled = view['hideColumnTitle'] === false;
  const fields = columns.filter(({ id }) => shown.has(id) && id !== target?.id && id !== cover?.id);
  return element(
    'ul',
    { class: classes('cards', view['cardSize'] === 'large' && 'large') },
    rows.map((row) =>
      element('li', { class: 'card' }, [
        cover ? element('div', { class: 'cover' }, cellOf(row, cover, { table, context })) : '',
        fields.map((field) => {
          if (!isGiven(row.values[field.id])) return '';
          return element('div', { class: 'field' }, [
            isTitled && field.title.trim() !== '' ? element('p', { class: 'label' }, field.title) : '',
            cellOf(row, field, { table, context }),
          ]);
        }),
        target && isGiven(row.values[target.id])
          ? element('p', { class: 'target' }, cellOf(row, target, { table, context }))
          : '',
      ]),
    ),
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

type Place = { table: Table; context: RenderContext };

function cellOf(row: Row, column: Column, { table, context }: Place): Html {
  const value = row.values[column.id];
  if (!isGiven(value)) return '';
  switch (column.type) {
    case 'text': {
      const nodes = table.fragments.get(scalarText(value));
      return nodes ? context.render(nodes) : scalarText(value);
    }
    case 'checkbox':
      return taskBox(value === true, context);
    case 'rating':
      return typeof value === 'number' ? `${value} / ${Number(column['max'])}` : scalarText(value);
    case 'select':
      return spaced(listOf(value).map((each) => tagOf(optionOf(column, each))));
    case 'users':
      return listOf(value)
        .map((user) => context.linkOf({ kind: 'user', user }).title)
        .join(', ');
    case 'image':
      return pictureCell(value as Data, context);
    default:
      return referencesIn(value).length > 0
        ? spaced(referencesIn(value).map((ref) => linkCell(ref, context)))
        : listOf(value).join(', ');
  }
}

function spaced(parts: Html[]): Html {
  return parts.map((part, index) => (index === 0 ? part : [' ', part]));
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value])
    .map(scalarText)
    .filter((each) => each !== '');
}

/** A list of files has their ids. */
function referencesIn(value: unknown): Data[] {
  if (Array.isArray(value)) return value.map((file: unknown) => ({ kind: 'file', file }));
  if (typeof value !== 'object' || value === null) return [];
  const { targets, ref } = value as { targets?: string[]; ref?: Data };
  if (targets) return targets.map((target) => ({ kind: 'target', target }));
  return [ref ?? (value as Data)];
}

function linkCell(ref: Data, context: RenderContext): Html {
  const { title, href } = context.linkOf(ref);
  return element(href === undefined ? 'span' : 'a', { href }, wordIn(ref, 'label') || title);
}

function pictureCell(value: Data, context: RenderContext): Html {
  const [ref] = referencesIn(value);
  if (ref === undefined) return scalarText(value);
  const alt = wordIn(value, 'alt');
  const picture = context.pictureOf(ref);
  return 'src' in picture
    ? element('img', { src: picture.src, alt })
    : missingPicture(picture, alt || wordIn(ref, 'label'));
}

function optionOf(column: Column, value: string): string {
  const options = (column['options'] ?? []) as { value: string; label: string }[];
  return options.find((option) => option.value === value)?.label ?? value;
}
