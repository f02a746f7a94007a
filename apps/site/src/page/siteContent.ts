import { findRevision, type ExpandedPages } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { loadShownPages } from '@bindery/publishing';
import { LRUCache } from 'lru-cache';
import type { OpenVisit } from '../visit/openVisit.ts';

/**
 * The pages of specifications in a content. `versions` describes those that the visitor sees, `holders` are
 * the ids of the computed pages in whose place they stand; `documents` and `sections` make the documents of
 * the pages and what a search knows of them, by their ids.
 */
export type SpecPages = Omit<ExpandedPages, 'pages'> & { versions: string; holders: readonly string[] };

/** The content of a site space that a visitor sees. `specPages`: only where a page of it is asked for. */
export type SiteContent = {
  revision: RevisionRecord;
  pages: Awaited<ReturnType<typeof loadShownPages>>;
  specPages?: SpecPages;
};

/**
 * By space and id. The content of a revision never changes, and a visit names only those of spaces that are
 * there.
 */
const revisions = new LRUCache<string, RevisionRecord>({ max: 1_000 });

async function findKnownRevision(space: string, id: string): Promise<RevisionRecord | undefined> {
  const key = `${space} ${id}`;
  const found = revisions.get(key) ?? (await findRevision(space, id));
  if (found) revisions.set(key, found);
  return found;
}

/** Loads the main content of a site space; undefined when its space was deleted meanwhile. */
export async function loadSiteContent(
  space: string,
  { visit: { spaces }, visitor }: Pick<OpenVisit, 'visit' | 'visitor'>,
): Promise<SiteContent | undefined> {
  const current = spaces.get(space);
  const revision = current && (await findKnownRevision(space, current.revision));
  return revision && { revision, pages: await loadShownPages(revision, { visitor }) };
}
