import type { DocumentBlock, DocumentNode, DocumentTree } from '@bindery/contract';
import { writtenAnchor } from '../tree/anchors.ts';
import { wordsOf } from '../tree/nodes.ts';
import { slugOf } from '../tree/slug.ts';

/** All that the anchor of a heading depends on: its words, and the anchor that is written in it. */
export type AnchoredHeading = { words: string; written?: string };

/** Gives every heading a unique anchor: a written one is kept, otherwise it follows from the text. */
export function giveAnchors(blocks: readonly DocumentBlock[]): void {
  const headings = headingBlocks(blocks);
  const ids = anchorsOf(
    headings.map((heading) =>
      heading.meta ? { words: '', written: heading.meta.id } : { words: wordsOf(heading) },
    ),
  );
  for (const [index, heading] of headings.entries()) heading.meta = { id: ids[index] as string };
}

/** Lists all headings of a document, in order. `anchorsOf` gives their anchors. */
export function anchoredHeadings({ nodes }: DocumentTree): AnchoredHeading[] {
  return headingBlocks(nodes).map((heading) => {
    const written = writtenAnchor(heading);
    return { words: wordsOf(heading), written: written || undefined };
  });
}

/** Returns the anchors of all headings of a document, in order. */
export function anchorsOf(headings: readonly AnchoredHeading[]): string[] {
  const taken = new Set<string>();
  // Many equal titles must not be counted from the start each time.
  const counts = new Map<string, number>();
  const unique = (wanted: string) => {
    let count = counts.get(wanted) ?? 0;
    let id = count === 0 ? wanted : `${wanted}-${count}`;
    while (taken.has(id)) {
      count += 1;
      id = `${wanted}-${count}`;
    }
    counts.set(wanted, count + 1);
    taken.add(id);
    return id;
  };
  const written = headings.map((heading) => heading.written && unique(heading.written));
  return headings.map(({ words }, index) => written[index] || unique(slugOf(words)));
}

function headingBlocks(nodes: readonly DocumentNode[], found: DocumentBlock[] = []): DocumentBlock[] {
  for (const node of nodes) {
    if (node.object !== 'block') continue;
    if (node.type.startsWith('heading')) found.push(node);
    headingBlocks(node.nodes ?? [], found);
    for (const { nodes: inside } of node.fragments ?? []) headingBlocks(inside, found);
  }
  return found;
}
