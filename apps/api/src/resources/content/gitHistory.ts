import { findHistoryAt, loadPageHistory, type PageHistoryLookup, type PageTree } from '@bindery/content';
import type { PageHistoryRecord } from '@bindery/models';
import type { Content } from './content.scope.ts';

type ContentWithHistory = Pick<Content, 'revision' | 'syncedWith'>;

/** Finds the history of the pages of a space in the branch last in sync; undefined without one. */
export async function findShownHistory(
  { revision, syncedWith }: ContentWithHistory,
  { metadata }: { metadata: boolean },
): Promise<PageHistoryRecord | undefined> {
  return metadata ? findHistoryAt(revision.space, syncedWith) : undefined;
}

/** Loads the history of all pages. */
export async function loadShownHistory(
  record: PageHistoryRecord | undefined,
): Promise<PageHistoryLookup | undefined> {
  return record && loadPageHistory(record);
}

/** Loads the history of one page, with its record; nothing for a page without a file in the branch. */
export async function loadHistoryOfPage(
  page: PageTree,
  content: ContentWithHistory,
  { metadata }: { metadata: boolean },
): Promise<{ record?: PageHistoryRecord; history?: PageHistoryLookup }> {
  if (page.type !== 'document' || !page.git) return {};
  const record = await findShownHistory(content, { metadata });
  return record ? { record, history: await loadPageHistory(record, [page.git.path]) } : {};
}
