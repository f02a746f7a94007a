import { addClass } from './addClass.ts';
import { isElement } from './outline.ts';
import type { PageElement, PageNode } from './settle.ts';

/** Blocks that look broken when a few of their lines are on the next sheet. */
const kept: ReadonlySet<string> = new Set(['aside', 'blockquote', 'details', 'figure', 'pre', 'section']);
const mostCharacters = 700;
const mostLines = 15;

/** Gives short blocks the class `short`, which keeps them on one sheet of paper. */
export function markShortBlocks(nodes: readonly PageNode[]): void {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    if (kept.has(node.name) && isShort(node)) addClass(node, 'short');
    else markShortBlocks(node.children);
  }
}

function isShort(node: PageElement): boolean {
  const left = { characters: mostCharacters, lines: mostLines };
  const take = (nodes: readonly PageNode[]): boolean =>
    nodes.every((each) => {
      if (typeof each === 'string') left.characters -= each.length;
      else if (isElement(each)) {
        left.lines -= linesOf(each);
        return left.characters >= 0 && left.lines >= 0 && take(each.children);
      }
      return left.characters >= 0;
    });
  return take([node]);
}

/** A line of code takes one, and a block some of its margins. */
function linesOf({ name, attributes }: PageElement): number {
  if (name !== 'span') return 0.5;
  return /^line\b/.test(attributes.class ?? '') ? 1 : 0;
}
