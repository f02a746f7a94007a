import { attribute, eachElement } from './elements.ts';
import type { Element } from './htmlTree.ts';

/** Rows or columns that one cell may take. Browsers know 65,534 rows; a document knows as many as this. */
const maxSpan = 50;
/** Places for cells that a table may have: its rows times its columns. */
const maxPlaces = 20_000;

/**
 * Bounds the cells of a table. Markdown has one for each place in it, so a short text with `colspan` and `rowspan`, or with one long row, is millions.
 * A table of too many places becomes the paragraphs of its cells.
 */
export function boundTable(table: Element): void {
  const rows = [...eachElement(table)].filter(({ tagName }) => tagName === 'tr');
  const cells = rows.map((row) => row.children.filter((child): child is Element => isCell(child)));
  for (const cell of cells.flat()) {
    for (const name of ['colSpan', 'rowSpan'])
      if (spanOf(cell, name) !== Number(attribute(cell, name) ?? 1)) cell.properties[name] = spanOf(cell, name);
  }
  if (rows.length * columnsOf(cells) <= maxPlaces) return;
  for (const element of eachElement(table)) {
    if (isCell(element)) element.tagName = 'p';
    else if (['table', 'thead', 'tbody', 'tfoot', 'tr'].includes(element.tagName)) element.tagName = 'div';
  }
}

/** Most columns of a row: its cells, and those of rows above that reach into it. */
function columnsOf(rows: readonly (readonly Element[])[]): number {
  const fromAbove = new Map<number, number>();
  let most = 0;
  for (const [index, cells] of rows.entries()) {
    let columns = fromAbove.get(index) ?? 0;
    for (const cell of cells) {
      const colSpan = spanOf(cell, 'colSpan');
      columns += colSpan;
      for (let below = index + 1; below < Math.min(rows.length, index + spanOf(cell, 'rowSpan')); below += 1)
        fromAbove.set(below, (fromAbove.get(below) ?? 0) + colSpan);
    }
    most = Math.max(most, columns);
  }
  return most;
}

function isCell(node: { type: string; tagName?: string }): boolean {
  return node.type === 'element' && (node.tagName === 'td' || node.tagName === 'th');
}

function spanOf(cell: Element, name: string): number {
  const span = Number.parseInt(attribute(cell, name) ?? '1', 10);
  return Number.isFinite(span) && span >= 1 ? Math.min(span, maxSpan) : 1;
}
