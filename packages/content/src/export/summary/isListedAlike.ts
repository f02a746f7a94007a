import { canonical } from '../../store/hash.ts';
import type { PageTree } from '../../store/items.ts';
import type { Placement } from '../placement/placeContent.ts';
import type { ExportedContent } from '../types.ts';

/**
 * Tells whether `content` has the same navigation as `before`: the same pages in the same positions, with the
 * same titles, targets and files. Titles inside the files are ignored.
 *
 * @param before  content with its git locations in the repository
 */
export function isListedAlike(
  content: ExportedContent,
  before: ExportedContent,
  placement: Placement,
): boolean {
  const oldFiles = new Map(before.files.map(({ id, git }) => [id, git?.path]));
  const haveFilesStayed = content.files.every(
    ({ id }) => !oldFiles.has(id) || oldFiles.get(id) === placement.files.get(id),
  );
  return haveFilesStayed && areAlike(content.pages, before.pages);

  function areAlike(pages: readonly PageTree[], others: readonly PageTree[]): boolean {
    return (
      pages.length === others.length && pages.every((page, index) => isAlike(page, others[index] as PageTree))
    );
  }

  function isAlike(page: PageTree, other: PageTree): boolean {
    if (page.id !== other.id || page.title !== other.title) return false;
    switch (page.type) {
      case 'group':
        return other.type === 'group' && areAlike(page.pages, other.pages);
      case 'link':
        return (
          other.type === 'link' &&
          page.linkTitle === other.linkTitle &&
          canonical(page.target) === canonical(other.target)
        );
      case 'computed':
        return other.type === 'computed' && canonical(page.computed) === canonical(other.computed);
      case 'document':
        return (
          other.type === 'document' &&
          page.linkTitle === other.linkTitle &&
          placement.pages.get(page.id) === (other.document === undefined ? undefined : other.git?.path) &&
          areAlike(page.pages, other.pages)
        );
    }
  }
}
