import { isWebTarget } from '@bindery/contract/linkTarget';
import type { PageToRender } from '../face.ts';
import { isElement } from './outline.ts';
import type { PageNode } from './settle.ts';

/**
 * Sets the attributes that only browsers need, in place: code and tables that scroll take the focus, each
 * table has a name, and pictures load when they are near. Groups are for the structure of a PDF only.
 *
 * @param look.externalLinks  where links to other hosts open
 */
export function setForScreen(
  nodes: readonly PageNode[],
  {
    nameOfTable,
    externalLinks,
  }: { nameOfTable: (number: number) => string; externalLinks: PageToRender['externalLinks'] },
): void {
  let tables = 0;
  const visit = (inside: readonly PageNode[]) => {
    for (const node of inside) {
      if (!isElement(node)) continue;
      const { name, attributes } = node;
      if (name === 'figure' && attributes.role === 'group') delete attributes.role;
      if (name === 'pre') attributes.tabindex = 0;
      if (name === 'img') attributes.loading = 'lazy';
      if (name === 'a' && externalLinks === 'blank' && isWebTarget(attributes.href ?? ''))
        Object.assign(attributes, { target: '_blank', rel: 'noopener' });
      if (name === 'div' && attributes.class === 'table') {
        tables += 1;
        Object.assign(attributes, { role: 'region', tabindex: 0, 'aria-label': nameOfTable(tables) });
      }
      visit(node.children);
    }
  };
  visit(nodes);
}
