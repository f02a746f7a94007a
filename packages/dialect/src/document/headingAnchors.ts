import type { DocumentBlock, DocumentNode } from '@bindery/contract';
import { wordsOf } from '../tree/nodes.ts';
import { slugOf } from '../tree/slug.ts';

/** Gives every heading a unique anchor: a written one is kept, otherwise it follows from the text. */
export function giveAnchors(blocks: readonly DocumentBlock[]): void {
  const headings: DocumentBlock[] = [];
  collectHeadings(blocks, headings);
  const taken = new Set<string>();
  const free = (wanted: string) => {
    let id = wanted;
    for (let count = 1; taken.has(id); count += 1) id = `${wanted}-${count}`;
    taken.add(id);
    return id;
  };
  for (const heading of headings) if (heading.meta) heading.meta = { id: free(heading.meta.id) };
  const counts = new Map<string, number>();
  for (const heading of headings) {
    if (heading.meta) continue;
    const slug = slugOf(wordsOf(heading));
    // Many equal titles must not be counted from the start each time.
    let count = counts.get(slug) ?? 0;
    let id = count === 0 ? slug : `${slug}-${count}`;
    while (taken.has(id)) {
      count += 1;
      id = `${slug}-${count}`;
    }
    counts.set(slug, count + 1);
    taken.add(id);
    heading.meta = { id };
  }
}

function collectHeadings(nodes: readonly DocumentNode[], found: DocumentBlock[]): void {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type.startsWith('heading')) found.push(node);
    collectHeadings(node.nodes ?? [], found);
    for (const { nodes: inside } of node.fragments ?? []) collectHeadings(inside, found);
  }
}
