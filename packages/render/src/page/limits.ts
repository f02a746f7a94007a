import type { RenderLimits } from '../face.ts';
import { isElement } from './outline.ts';
import { PageTooLargeError } from './pageTooLargeError.ts';
import type { PageNode } from './settle.ts';

type Page = { id: string; title: string };
type Checked = { page: Page; limits: RenderLimits; inserted: readonly string[] };

/** Counts the elements of a page, with those of formulas, and their depth. */
export function checkElements(nodes: readonly PageNode[], { page, limits, inserted }: Checked): void {
  let left = limits.elements;
  const visit = (inside: readonly PageNode[], depth: number): void => {
    if (depth > limits.depth) throw tooDeep(page);
    for (const node of inside) {
      if (!isElement(node)) continue;
      left -= 1;
      visit(node.children, depth + 1);
    }
  };
  visit(nodes, 0);
  for (const html of inserted) left -= html.split('<').length / 2;
  if (left < 0) throw new PageTooLargeError(page, `has more than ${limits.elements} elements`);
}

export function tooDeep(page: Page, cause?: Error): PageTooLargeError {
  return new PageTooLargeError(page, 'has blocks that are nested too deep', cause);
}

export function tooLong(page: Page, { characters }: RenderLimits): PageTooLargeError {
  return new PageTooLargeError(page, `is longer than ${characters} characters as HTML`);
}
