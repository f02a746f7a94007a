import { namedFile, pageFields, plannedPages } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../../store/items.ts';
import type { OldPlaces } from '../placement/oldPlaces.ts';
import type { TargetLayout } from '../readTarget.ts';

/**
 * Collects the titles that the repository's navigation gives to pages, for pages whose title in the space has
 * not changed since the import.
 *
 * They differ from the space's titles only in spaces imported when a page got its title from the first
 * heading of its file: such pages keep the labels of the repository, and the next import makes those their
 * titles.
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
