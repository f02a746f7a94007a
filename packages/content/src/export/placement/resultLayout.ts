import type { GitLocation, PageTree } from '../../store/items.ts';
import type { PageLookup } from '../../tree/pageLookup.ts';
import type { Placement } from './placeContent.ts';
import { treeLookup } from './treeLookup.ts';
import type { ExportedContent } from '../types.ts';

/**
 * The layout of content after the export: the new git locations of its files. Blob ids are not known yet and
 * empty.
 */
export type ResultLayout = Pick<ExportedContent, 'files' | 'reusableContents'> & { tree: PageLookup };

export function resultLayoutOf(
  { pages, files, reusableContents }: ExportedContent,
  placement: Placement,
): ResultLayout {
  return {
    tree: treeLookup(pages.map((page) => withPlace(page, placement.pages))),
    files: files.map((file) => placed(file, placement.files)),
    reusableContents: reusableContents.map((content) => placed(content, placement.reusableContents)),
  };
}

function withPlace(page: PageTree, places: ReadonlyMap<string, string>): PageTree {
  if (!('pages' in page)) return page;
  const pages = page.pages.map((child) => withPlace(child, places));
  return page.type === 'document' ? { ...placed(page, places), pages } : { ...page, pages };
}

function placed<Item extends { id: string; git?: GitLocation }>(
  item: Item,
  places: ReadonlyMap<string, string>,
): Item {
  const path = places.get(item.id);
  return { ...item, git: path === undefined ? undefined : { oid: '', path } };
}
