import { trimmedEnd } from '@bindery/contract/trimCharacters';
import type { DocumentNode } from '@bindery/contract';

/** Removes leading and trailing white space from inlines. */
export function trimmed(nodes: readonly DocumentNode[]): DocumentNode[] {
  return trimmedAt('end', trimmedAt('start', nodes));
}

function trimmedAt(side: 'start' | 'end', nodes: readonly DocumentNode[]): DocumentNode[] {
  const rest = [...nodes];
  const take = <Item>(items: Item[]) => (side === 'start' ? items.shift() : items.pop());
  const put = <Item>(items: Item[], item: Item) =>
    side === 'start' ? items.unshift(item) : items.push(item);
  for (let node = take(rest); node !== undefined; node = take(rest)) {
    if (node.object !== 'text') {
      put(rest, node);
      return rest;
    }
    const leaves = [...node.leaves];
    for (let leaf = take(leaves); leaf !== undefined; leaf = take(leaves)) {
      const text = side === 'start' ? leaf.text.replace(/^[ \t\n]+/, '') : trimmedEnd(leaf.text, ' \t\n');
      if (text === '') continue;
      put(leaves, { ...leaf, text });
      put<DocumentNode>(rest, { ...node, leaves });
      return rest;
    }
  }
  return rest;
}
