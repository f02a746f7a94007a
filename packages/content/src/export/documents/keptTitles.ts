import { namedFile, pageFields, plannedPages } from '@bindery/dialect/repository-format';
import type { DocumentPage } from '../../store/items.ts';
import type { SourceLayout } from '../placement/sourceLayout.ts';
import type { TargetLayout } from '../readTarget.ts';

/**
 * Returns the titles and short titles of pages as in the navigation of the repository, where nobody has
 * changed them in the space since the import.
 *
 * They differ in spaces that were imported when a page still took its title from the first heading of its
 * file: those keep the labels of their repositories, and the next import makes the labels their titles. The
 * label of such a page is its short title in the space; a page that was renamed there keeps the short title
 * that the repository has for it, if any.
 */
export function keptTitles(
  now: SourceLayout,
  before: SourceLayout,
  target: TargetLayout,
): ReadonlyMap<string, Pick<DocumentPage, 'title' | 'linkTitle'>> {
  const kept = new Map<string, Pick<DocumentPage, 'title' | 'linkTitle'>>();
  if (!target.summaryFile) return kept;
  const named = new Map(
    [...plannedPages(target.navigation())].flatMap((page) =>
      page.kind === 'file' ? [[page.entry.path, namedFile(page)]] : [],
    ),
  );
  for (const page of now.written) {
    const old = before.tree.page(page.id)?.page;
    const said = old?.type === 'document' && old.git ? named.get(old.git.path) : undefined;
    if (old?.type !== 'document' || said?.label === undefined || old.linkTitle !== page.linkTitle) continue;
    const fields = pageFields(said, { version: 0 });
    const { linkTitle } = fields;
    const title = old.title === page.title ? fields.title : page.title;
    kept.set(page.id, { title, linkTitle });
  }
  return kept;
}
