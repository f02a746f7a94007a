import { namedFile, pageFields, plannedPages } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../../store/items.ts';
import type { OldPlaces } from '../placement/oldPlaces.ts';
import type { TargetLayout } from '../readTarget.ts';

/**
 * The titles of pages as the navigation of the repository says them, where nobody has changed them in the space since it was read.
 *
 * They differ in spaces that were imported when a page still had its title from the first heading of its file: those keep the labels of their
 * repositories, and get them as titles by the next import.
 */
export function keptTitles(
  now: OldPlaces,
  before: OldPlaces,
  target: TargetLayout,
): ReadonlyMap<string, Pick<DocumentPage, 'title' | 'linkTitle'>> {
  const kept = new Map<string, Pick<DocumentPage, 'title' | 'linkTitle'>>();
  if (!target.summaryFile) return kept;
  const named = new Map(
    [...plannedPages(target.navigation())].flatMap((page) => (page.kind === 'file' ? [[page.entry.path, namedFile(page)]] : [])),
  );
  for (const page of now.written) {
    const old = before.tree.page(page.id)?.page;
    const said = old?.type === 'document' && old.git ? named.get(old.git.path) : undefined;
    if (old?.type !== 'document' || said?.label === undefined || old.title !== page.title || old.linkTitle !== page.linkTitle) continue;
    const { title, linkTitle } = pageFields(said, { version: 0 });
    kept.set(page.id, { title, ...(linkTitle !== undefined && { linkTitle }) });
  }
  return kept;
}
