import { isElement } from './outline.ts';
import type { PageElement, PageNode } from './settle.ts';

export type Direction = 'ltr' | 'rtl';

const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** Elements that may have another direction than what they stand in. */
const directed: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 p li ul ol dl dt dd blockquote figcaption summary aside section details table th td'.split(
    ' ',
  ),
);

/** The direction of a page: by its language, or by its first letter. */
export function directionOfPage(language: string | undefined, nodes: readonly PageNode[]): Direction {
  if (language !== undefined) return directionOfLanguage(language);
  return firstDirection(nodes, new Map()) ?? 'ltr';
}

/** The direction of texts in a language (BCP 47). */
export function directionOfLanguage(language: string): Direction {
  return rightToLeft.has(language.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';
}

/**
 * Sets `dir` where a block begins with a letter of the other direction. Browsers cannot find it themselves:
 * `dir="auto"` on a list ignores items that have it too.
 */
export function setDirections(nodes: readonly PageNode[], direction: Direction): void {
  const known = new Map<PageElement, Direction | undefined>();
  const visit = (inside: readonly PageNode[], outer: Direction): void => {
    for (const node of inside) {
      if (!isElement(node) || node.name === 'pre') continue;
      const own = directed.has(node.name) ? (firstDirection([node], known) ?? outer) : outer;
      if (own !== outer) node.attributes.dir = own;
      visit(node.children, own);
    }
  };
  visit(nodes, direction);
}

function firstDirection(
  nodes: readonly PageNode[],
  known: Map<PageElement, Direction | undefined>,
): Direction | undefined {
  for (const node of nodes) {
    const inElement = isElement(node) ? within(node, known) : undefined;
    const found = typeof node === 'string' ? directionOf(node) : inElement;
    if (found !== undefined) return found;
  }
  return undefined;
}

function within(node: PageElement, known: Map<PageElement, Direction | undefined>): Direction | undefined {
  // Code is written from left to right in all languages.
  if (node.name === 'pre' || node.name === 'code' || node.attributes.class === 'label') return undefined;
  if (!known.has(node)) known.set(node, firstDirection(node.children, known));
  return known.get(node);
}

function directionOf(text: string): Direction | undefined {
  const [letter] = /\p{L}/u.exec(text) ?? [];
  if (letter === undefined) return undefined;
  return /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}]/u.test(letter)
    ? 'rtl'
    : 'ltr';
}
