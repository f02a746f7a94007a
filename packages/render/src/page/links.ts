import { isElement } from './outline.ts';
import type { PageElement, PageNode } from './settle.ts';
import { isVisible, textOf } from './textOf.ts';

/**
 * Makes words of links that HTML does not permit or nobody could follow, in place: links in links, links
 * without words, and links to a place of this page that is not there.
 * @param isMissing  tells whether an address is such a place
 */
export function checkLinks(nodes: readonly PageNode[], isMissing: (href: string) => boolean): void {
  const visit = (inside: readonly PageNode[], isInLink: boolean): void => {
    for (const node of inside) {
      if (!isElement(node)) continue;
      const isLink = node.name === 'a';
      if (isLink && (isInLink || !isSeen(node) || isMissing(node.attributes.href ?? ''))) {
        node.name = 'span';
        delete node.attributes.href;
        visit(node.children, isInLink);
      } else visit(node.children, isInLink || isLink);
    }
  };
  visit(nodes, false);
}

function isSeen(node: PageElement): boolean {
  return isVisible(textOf(node)) || node.children.some((child) => hasPicture(child));
}

function hasPicture(node: PageNode): boolean {
  return isElement(node) && (node.name === 'img' || node.children.some((child) => hasPicture(child)));
}
