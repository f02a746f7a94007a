import type { PageElement, PageNode } from './settle.ts';

/** The text of a node, without elements that are left out; for a formula its TeX. */
export function textOf(node: PageNode, isLeftOut?: (element: PageElement) => boolean): string {
  if (typeof node === 'string') return node;
  if ('inserted' in node || isLeftOut?.(node)) return '';
  if (node.attributes.role === 'img') return node.attributes['aria-label'] ?? '';
  return node.name === 'br' ? ' ' : node.children.map((child) => textOf(child, isLeftOut)).join('');
}

/**
 * Whether text has a character that is drawn: not only spaces, and marks that need another character.
 * Chromium takes the same texts as headings, and ignores U+FFFC, which stands for an object.
 */
export function isVisible(text: string): boolean {
  return /(?!\uFFFC)[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
