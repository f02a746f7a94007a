import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import type { Attributes } from '../../syntax/writeTags.ts';
import type { Data } from '../../tree/nodes.ts';

export type Column = Data & { id: string; title: string; type: string };
export type Table = {
  view: Data;
  columns: Column[];
  shown: ReadonlySet<string>;
  /** The values of each row by column, in order. */
  rows: { id: string; values: Data }[];
  fragments: ReadonlyMap<string, readonly DocumentNode[]>;
  data: Data;
};

/** Returns the columns and rows of a table in order. */
export function tableOf({ data = {}, fragments = [] }: DocumentBlock): Table {
  const view = (data['view'] ?? {}) as Data;
  const definition = (data['definition'] ?? {}) as Record<string, Column>;
  const shown = ((view['columns'] ?? []) as string[]).filter((id) => definition[id]);
  const records = Object.entries(
    (data['records'] ?? {}) as Record<string, { orderIndex: string; values: Data }>,
  );
  const names = new Set(shown);
  // Hidden columns keep their positions if the order of the visible ones allows it.
  const isOrdered =
    Object.keys(definition)
      .filter((id) => names.has(id))
      .join('\n') === [...names].join('\n');
  const ids = isOrdered
    ? Object.keys(definition)
    : [...names, ...Object.keys(definition).filter((id) => !names.has(id))];
  return {
    view,
    data,
    shown: names,
    columns: ids.map((id) => ({ ...(definition[id] as Column), id })),
    rows: records
      .toSorted(([, { orderIndex: one }], [, { orderIndex: other }]) =>
        one < other ? -1 : Number(one > other),
      )
      .map(([id, { values }]) => ({ id, values })),
    fragments: new Map(fragments.map(({ fragment, nodes }) => [fragment ?? '', nodes])),
  };
}

/** Writes a number, a text or a boolean in the form that is read in a cell. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Maps the first cell of each merged range to its size, and the other cells to `covered`. */
export function mergesOf({ data, columns, rows }: Table): Map<string, Attributes | 'covered'> {
  const merges = new Map<string, Attributes | 'covered'>();
  type Merge = { anchor: { record: string; column: string }; rowSpan: number; colSpan: number };
  for (const { anchor, rowSpan, colSpan } of (data['cellMerges'] ?? []) as Merge[]) {
    const [top, left] = [
      rows.findIndex(({ id }) => id === anchor.record),
      columns.findIndex(({ id }) => id === anchor.column),
    ];
    if (top < 0 || left < 0) continue;
    for (const row of rows.slice(top, top + rowSpan))
      for (const column of columns.slice(left, left + colSpan))
        merges.set(`${row.id}\n${column.id}`, 'covered');
    merges.set(`${anchor.record}\n${anchor.column}`, {
      rowspan: rowSpan > 1 ? rowSpan : undefined,
      colspan: colSpan > 1 ? colSpan : undefined,
    });
  }
  return merges;
}
