import { attribute, eachElement } from './elements.ts';
import type { Element } from './htmlTree.ts';

/**
 * The most rows or columns that one cell may span. Browsers allow 65,534 rows; this is enough for a document.
 */
const maxSpan = 50;
/** The most places of a table: its rows times its columns. */
const maxPlaces = 20_000;

/**
 * Limits the cells of a table. Markdown has one for each place, so a short text with `colspan` and `rowspan`,
 * or with one long row, expands to millions. A table with too many places becomes the paragraphs of its
 * cells.
 */
export function boundTable(table: Element): void {
  const rows = [...eachElement(table)].filter(({ tagName }) => tagName === 'tr');
  const cells = rows.map((row) => row.children.filter((child): child is Element => isCell(child)));
  for (const cell of cells.flat()) {
    for (const name of ['colSpan', 'rowSpan'])
      if (spanOf(cell, name) !== Number(attribute(cell, name) ?? 1))
        cell.properties[name] = spanOf(cell, name);
  }
  if (rows.length * columnsOf(cells) <= maxPlaces) return;
  for (const element of eachElement(table)) {
    if (isCell(element)) element.tagName = 'p';
    else if (['table', 'thead', 'tbody', 'tfoot', 'tr'].includes(element.tagName)) element.tagName = 'div';
  }
}

/** The most columns of a row: its cells, and cells that span down from rows above. */
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
