import type { PageElement, PageNode } from './settle.ts';
import { isVisible, textOf } from './textOf.ts';

export type Heading = { id: string; level: number; title: string };

const headingName = /^h([1-6])$/;

/**
 * Makes the headings of a page an outline, in place: no level is skipped, every heading has words and an id.
 * Chromium leaves out headings without words when it writes a PDF's outline, which would then not agree.
 * @param nextId  names a heading that has no id
 */
export function outlined(nodes: PageNode[], nextId: () => string): Heading[] {
  const headings: Heading[] = [];
  let last = 0;
  const visit = (inside: PageNode[]): void => {
    for (const node of inside) {
      if (!isElement(node)) continue;
      const level = Number(headingName.exec(node.name)?.[1] ?? 0);
      if (level > 0) {
        const title = textOf(node).replaceAll(/\s+/g, ' ').trim();
        if (isVisible(title)) {
          last = Math.min(level, last + 1);
          node.name = `h${last}` as PageElement['name'];
          node.attributes.id ??= nextId();
          headings.push({ id: node.attributes.id, level: last, title });
        } else node.name = 'p';
      }
      visit(node.children);
    }
  };
  visit(nodes);
  return headings;
}

export function isElement(node: PageNode): node is PageElement {
  return typeof node === 'object' && 'name' in node;
}
