import type { DocumentNode, DocumentTree } from '@bindery/contract';
import { plain } from '../pdf/readPdf.ts';

/** A page of the navigation with its texts, without white space. */
export type PageTexts = { id: string; path: string; title: string; blocks: string[] };

type Page = { id: string; title: string; path: string; type: string; hidden: boolean; pages?: Page[] };

/**
 * Reads the texts of the pages in the navigation of a space: each heading, paragraph, cell and line of code.
 * Judges of PDFs and of sites look for them.
 *
 * @param get  reads a path below `/v1/spaces/{spaceId}/content`
 */
export async function readPageTexts(get: (path: string) => Promise<unknown>): Promise<PageTexts[]> {
  const texts: PageTexts[] = [];
  const visit = async (siblings: readonly Page[]) => {
    for (const { id, path, title, type, hidden, pages = [] } of siblings) {
      if (hidden) continue;
      if (type === 'document') {
        const query = 'evaluated=deterministic-only&dereferenced=reusable-contents';
        const document = (await get(`/page/${id}/document?${query}`)) as DocumentTree;
        texts.push({ id, path, title, blocks: [...textsIn(document.nodes)] });
      }
      await visit(pages);
    }
  };
  await visit(((await get('/pages')) as { pages: Page[] }).pages);
  return texts;
}

/** Blocks whose words stand together. */
const lines = new Set(['paragraph', 'heading-1', 'heading-2', 'heading-3', 'code-line']);

/** Texts of blocks; those of tables are fragments of their own, and stand in any order. */
function* textsIn(nodes: readonly DocumentNode[]): Iterable<string> {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (lines.has(node.type)) {
      const text = plain(wordsOf(node));
      if (text !== '') yield text;
    } else {
      yield* textsIn(node.nodes ?? []);
      for (const { nodes: inside } of node.fragments ?? []) yield* textsIn(inside);
    }
  }
}

/** Words up to the first thing that is shown otherwise than as text: formulas, pictures, mentions. */
function wordsOf(node: DocumentNode): string {
  if (node.object === 'text') return node.leaves.map(({ text }) => text).join('');
  let words = '';
  for (const child of node.nodes ?? []) {
    if (child.object === 'inline' && child.type !== 'link') break;
    words += wordsOf(child);
  }
  return words;
}
