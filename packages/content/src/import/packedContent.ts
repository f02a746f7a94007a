import { deserialize, serialize } from 'node:v8';
import type { GatheredContent } from './gatherContent.ts';
import { eachNewPage, type NewPage } from './newPage.ts';

/** A page as an import gathers it. */
export type ListedPage = { id: string; type: 'page' | 'folder'; sourceURL?: string };

/**
 * Gathered content in transfer from the process that read it. It may contain thousands of pages, which stay
 * packed until the thread that builds their tree unpacks them.
 */
export type PackedContent = Omit<GatheredContent, 'pages' | 'sources'> & {
  pages: Uint8Array;
  listed: ListedPage[];
};

export function packContent({ pages, sources, ...rest }: GatheredContent): PackedContent {
  const urls = new Map(sources.map(({ page, url }) => [page, url]));
  const list = (page: NewPage): ListedPage => ({
    id: page.id,
    type: isFolder(page) ? 'folder' : 'page',
    sourceURL: urls.get(page.id),
  });
  return { ...rest, pages: serialize(pages), listed: [...eachNewPage(pages)].map(list) };
}

export function unpackPages(packed: Uint8Array): NewPage[] {
  return deserialize(packed) as NewPage[];
}

function isFolder(page: NewPage): boolean {
  return (
    page.type === 'group' ||
    (page.type === 'document' && page.document === undefined && page.pages.length > 0)
  );
}
