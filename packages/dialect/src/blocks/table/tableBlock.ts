import type { DocumentBlock, DocumentFragment } from '@bindery/contract';
import { block, paragraph, type Data } from '../../tree/nodes.ts';

type TableSource = {
  /** The definition of each column, without its id. */
  columns: readonly Data[];
  /** Blocks for text cells, values for all others; undefined for an empty cell. */
  rows: readonly (readonly (DocumentBlock[] | CellValue | undefined)[])[];
  viewOf(columns: string[]): Data;
  more?: Data;
};

/** The value of a cell without text, as in the document's `data`. */
export type CellValue = { value: unknown };

export const columnId = (index: number) => `c${index + 1}`;
export const recordId = (index: number) => `r${index + 1}`;

/** Makes a table of columns and rows. Text cells are fragments, named by their row and column. */
export function tableBlock({ columns, rows, viewOf, more = {} }: TableSource): DocumentBlock {
  const fragments: DocumentFragment[] = [];
  const width = String(rows.length).length;
  const records = rows.map((cells, row) => {
    const values: Data = {};
    for (const [column, cell] of cells.slice(0, columns.length).entries()) {
      if (cell === undefined) continue;
      if (!Array.isArray(cell)) {
        values[columnId(column)] = cell.value;
        continue;
      }
      const name = recordId(row) + columnId(column);
      values[columnId(column)] = name;
      fragments.push({ object: 'fragment', fragment: name, nodes: cell.length > 0 ? cell : [paragraph([])] });
    }
    // Indexes are compared as text, so they have a fixed width.
    return [recordId(row), { orderIndex: String(row + 1).padStart(width, '0'), values }];
  });
  const definition = columns.map((column, index) => [columnId(index), { id: columnId(index), ...column }]);
  const view = viewOf(columns.map((_, index) => columnId(index)));
  return block('table', {
    data: {
      view,
      records: Object.fromEntries(records) as Data,
      definition: Object.fromEntries(definition) as Data,
      ...more,
    },
    fragments,
  });
}
