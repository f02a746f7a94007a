import type { ChangeRequest } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { showUsers, type Viewer } from '../user/showUsers.ts';
import { presentChangeRequest } from './changeRequest.presenter.ts';

/** The change request that was merged as this revision, as it was then; absent for other revisions. */
export async function showMergedFrom(
  { _id, mergedFrom }: RevisionRecord,
  viewer: Viewer,
): Promise<{ mergedFrom?: ChangeRequest }> {
  if (!mergedFrom) return {};
  const userOf = await showUsers([mergedFrom.createdBy], viewer);
  return { mergedFrom: presentChangeRequest(mergedFrom, { links: viewer.links, userOf, mainRevision: _id }) };
}
