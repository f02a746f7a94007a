import { findRevision, type ExpandedPages } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { loadShownPages } from '@bindery/publishing';
import type { OpenVisit } from '../visit/openVisit.ts';

/**
 * The pages of specifications in a content. `versions` describes those that the visitor sees, and `documents`
 * makes the documents of the pages, by their ids.
 */
export type SpecPages = Pick<ExpandedPages, 'documents' | 'isWhole'> & { versions: string };

/** The content of a site space that a visitor sees. `specPages`: only where a page of it is asked for. */
export type SiteContent = {
  revision: RevisionRecord;
  pages: Awaited<ReturnType<typeof loadShownPages>>;
  specPages?: SpecPages;
};

/** Loads the main content of a site space; undefined when its space was deleted meanwhile. */
export async function loadSiteContent(
  space: string,
  { visit: { spaces }, visitor }: Pick<OpenVisit, 'visit' | 'visitor'>,
): Promise<SiteContent | undefined> {
  const current = spaces.get(space);
  const revision = current && (await findRevision(space, current.revision));
  return revision && { revision, pages: await loadShownPages(revision, { visitor }) };
}
