import {
  loadFiles,
  loadReusableContents,
  loadRevisionLinks,
  shownTargets,
  type FileItem,
  type ReusableContentItem,
  type ShownTargets,
  variablesOf,
} from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import { LRUCache } from 'lru-cache';
import type { ContentReader, Visitor } from '../visitor/visitor.ts';
import type { AppLinks } from '../site/appLinks.ts';
import { withinTime } from './withinTime.ts';
import { loadShownPages } from './shownPages.ts';

/** The files and reusable contents of a revision that the reader may know of. */
export type ShownContent = { files: readonly FileItem[]; reusableContents: readonly ReusableContentItem[] };

/** The key is the revision with the claims of the visitor. */
const targets = new LRUCache<string, ShownTargets>({
  maxSize: 500_000,
  sizeCalculation: ({ files, reusableContents, specs }) =>
    10 + files.size + reusableContents.size + specs.size,
});

/**
 * Members see all files and reusable contents; visitors see those that their visible pages refer to in blocks
 * whose conditions they meet.
 */
export async function loadShownContent(
  revision: RevisionRecord,
  { links, reader: { visitor } }: { links: Pick<AppLinks, 'appUrl'>; reader: ContentReader },
): Promise<ShownContent> {
  const [files, reusableContents] = await Promise.all([loadFiles(revision), loadReusableContents(revision)]);
  if (!visitor || files.length + reusableContents.length === 0) return { files, reusableContents };
  const shown = await loadShownTargets(revision, { links, visitor });
  return {
    files: files.filter(({ id }) => shown.files.has(id)),
    reusableContents: reusableContents.filter(({ id }) => shown.reusableContents.has(id)),
  };
}

/** The targets of the pages that a visitor sees. */
export async function loadShownTargets(
  revision: RevisionRecord,
  { links: { appUrl }, visitor }: { links: Pick<AppLinks, 'appUrl'>; visitor: Visitor },
): Promise<ShownTargets> {
  const key = `${revision._id} ${revision.organization} ${JSON.stringify(visitor.claims)}`;
  const known = targets.get(key);
  if (known) return known;
  const [links, { byId }] = await Promise.all([
    withinTime(async (signal) => loadRevisionLinks(revision, { appUrl, signal })),
    loadShownPages(revision, { visitor }),
  ]);
  const shown = shownTargets(links, {
    isShown: (page) => byId.has(page),
    evaluationFor: (page) => ({ claims: visitor.claims, variables: variablesOf(revision, page) }),
  });
  targets.set(key, shown);
  return shown;
}
