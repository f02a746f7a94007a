import type { DocumentNode, DocumentTree } from '@bindery/contract';
import { wordsOf } from '../tree/nodes.ts';

/** A heading; `id` is its anchor, `level` 1 to 3. */
export type DocumentHeading = { id: string; title: string; level: 1 | 2 | 3; key: string };

const levels: Readonly<Record<string, 1 | 2 | 3>> = { 'heading-1': 1, 'heading-2': 2, 'heading-3': 3 };

/** Lists all headings of a document in order, including those in tabs, cells and other containers. */
export function headingsOf({ nodes }: DocumentTree): DocumentHeading[] {
  const found: DocumentHeading[] = [];
  const collect = (inside: readonly DocumentNode[]) => {
    for (const node of inside) {
      if (node.object !== 'block') continue;
      const level = levels[node.type];
      if (level)
        found.push({
          id: node.meta?.id ?? '',
          title: wordsOf(node).replaceAll(/\s+/g, ' ').trim(),
          level,
          key: node.key ?? '',
        });
      collect(node.nodes ?? []);
      for (const each of node.fragments ?? []) collect(each.nodes);
    }
  };
  collect(nodes);
  return found;
}
