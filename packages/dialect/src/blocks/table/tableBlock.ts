import type { DocumentBlock, DocumentFragment } from '@bindery/contract';
import { block, paragraph, type Data } from '../../tree/nodes.ts';

type TableSource = {
  /** What defines each column, without its id. */
  columns: readonly Data[];
  /** Blocks of text cells, values of all others; undefined for an empty one. */
  rows: readonly (readonly (DocumentBlock[] | CellValue | undefined)[])[];
  viewOf(columns: string[]): Data;
  more?: Data;
};

/** What is in a cell that holds no text. `data` is as the document has it. */
export type CellValue = { value: unknown };

export const columnId = (index: number) => `c${index + 1}`;
export const recordId = (index: number) => `r${index + 1}`;

/** A table of columns and rows. Cells of text are fragments, named by their row and column. */
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
    // Compared as text.
    return [recordId(row), { orderIndex: String(row + 1).padStart(width, '0'), values }];
  });
  const definition = columns.map((column, index) => [columnId(index), { id: columnId(index), ...column }]);
  const view = viewOf(columns.map((_, index) => columnId(index)));
  return block('table', {
    data: { view, records: Object.fromEntries(records) as Data, definition: Object.fromEntries(definition) as Data, ...more },
    fragments,
  });
}
