import { isElement } from './outline.ts';
import type { PageNode } from './settle.ts';
import { isVisible } from './textOf.ts';

const noBreakSpace = '\u00A0';

/**
 * Puts a space into each empty cell. Chromium leaves cells without content out of the structure of a PDF, and
 * then a screen reader reads what follows them under the wrong heads.
 */
export function fillEmptyCells(nodes: readonly PageNode[]): void {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if ((node.name === 'td' || node.name === 'th') && !node.children.some(isContent))
      node.children = [noBreakSpace];
    else fillEmptyCells(node.children);
  }
}

function isContent(node: PageNode): boolean {
  if (!isElement(node)) return typeof node !== 'string' || isVisible(node) || node.includes(noBreakSpace);
  return node.name === 'img' || node.attributes.id !== undefined || node.children.some(isContent);
}
