import type { ChangeRequest, User } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentChangeRequest } from './changeRequest.presenter.ts';

/** The change request that was merged as this revision, as it was then; absent for other revisions. */
export async function showMergedFrom(
  { _id, mergedFrom }: RevisionRecord,
  viewer: Viewer,
): Promise<{ mergedFrom?: ChangeRequest }> {
  if (!mergedFrom) return {};
  const userOf = await showUsers([mergedFrom.createdBy], viewer);
  return presentMergedFrom({ _id, mergedFrom }, { links: viewer.links, userOf });
}

/** As `showMergedFrom`, with users that are loaded already. */
export function presentMergedFrom(
  { _id: mainRevision, mergedFrom }: Pick<RevisionRecord, '_id' | 'mergedFrom'>,
  { links, userOf }: { links: Links; userOf: (id: string) => User },
): { mergedFrom?: ChangeRequest } {
  return mergedFrom ? { mergedFrom: presentChangeRequest(mergedFrom, { links, userOf, mainRevision }) } : {};
}
