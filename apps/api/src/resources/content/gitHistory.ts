import { findPageHistory, loadPageHistory, type PageHistoryLookup } from '@bindery/content';
import type { PageHistoryRecord } from '@bindery/models';
import type { Content } from './content.scope.ts';

/** Finds the history of the pages of a space in the branch last in sync; undefined without one. */
export async function findShownHistory(
  { revision, syncedWith }: Pick<Content, 'revision' | 'syncedWith'>,
  { metadata }: { metadata: boolean },
): Promise<PageHistoryRecord | undefined> {
  if (!metadata || syncedWith === undefined) return undefined;
  const record = await findPageHistory(revision.space);
  return record?.point === syncedWith ? record : undefined;
}

/** @param path  of the only file that is asked for */
export async function loadShownHistory(
  record: PageHistoryRecord | undefined,
  path?: string,
): Promise<PageHistoryLookup | undefined> {
  return record && loadPageHistory(record, path === undefined ? undefined : [path]);
}
