import { addClass } from './addClass.ts';
import { isElement } from './outline.ts';
import type { PageElement, PageNode } from './settle.ts';
import { textOf } from './textOf.ts';

/** Characters of a table in the width of an upright sheet, and those that the margins of a cell take. */
const sheetCharacters = 105;
const marginCharacters = 3;
/** Words of more characters may break. */
const longestWord = 25;
/** The rows that are looked at. */
const mostRows = 200;

/**
 * Gives tables that have no room on an upright sheet the class `wide`: print turns the sheet. The headings
 * right above get it too, because they would stand alone on a sheet, and so does the mark of a changed table.
 */
export function markWideTables(nodes: readonly PageNode[]): void {
  const elements = nodes.filter(isElement);
  for (const [index, node] of elements.entries()) {
    if (node.attributes.class !== 'table') markWideTables(node.children);
    else if (widthOf(node) > sheetCharacters) addClass(node, 'wide');
    if (isChange(node) && node.children.some(isWide)) addClass(node, 'wide');
    if (!isWide(node)) continue;
    for (let above = index - 1; above >= 0 && isTitle(elements[above] as PageElement); above -= 1)
      addClass(elements[above] as PageElement, 'wide');
  }
}

function isWide(node: PageNode): boolean {
  return isElement(node) && (node.attributes.class ?? '').endsWith(' wide');
}

/** A block of a changed page, below a label that says how it changed. */
function isChange({ attributes }: PageElement): boolean {
  return (attributes.class ?? '').startsWith('change ');
}

/** Must stay with what follows: a heading, a marked one, and the description below the title of a page. */
function isTitle(node: PageElement): boolean {
  if (isChange(node)) return node.children.filter(isElement).slice(1).every(isTitle);
  return /^h[1-6]$/.test(node.name) || node.attributes.class === 'lead';
}

/** The least width of all columns together, in characters. */
function widthOf(table: PageElement): number {
  const widths: number[] = [];
  for (const row of rowsIn(table).slice(0, mostRows)) {
    for (const [column, cell] of row.children.filter(isElement).entries())
      widths[column] = Math.max(widths[column] ?? 0, leastWidth(textOf(cell)));
  }
  return widths.reduce((total, width) => total + width + marginCharacters, 0);
}

function rowsIn(node: PageElement): PageElement[] {
  if (node.name === 'tr') return [node];
  return node.children.filter(isElement).flatMap(rowsIn);
}

/** A column is readable with its longest word, and with a few words side by side. */
function leastWidth(text: string): number {
  const longest = text.split(/\s+/).reduce((most, word) => Math.max(most, word.length), 0);
  return Math.max(Math.min(longest, longestWord), Math.min(text.length, 12));
}
