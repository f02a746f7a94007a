import type { ChangeRequest } from '@bindery/contract';
import type { RevisionRecord } from '@bindery/models';
import { showUsers } from '../user/showUsers.ts';
import { presentChangeRequest } from './changeRequest.presenter.ts';

/**
 * The change request that a revision was merged from, as it was then; absent where there is none.
 *
 * @param isForVisitor  visitors of a site are not told what it was about, nor how to write to whom
 */
export async function showMergedFrom(
  { _id, mergedFrom }: RevisionRecord,
  { isForVisitor = false }: { isForVisitor?: boolean } = {},
): Promise<{ mergedFrom?: ChangeRequest }> {
  if (!mergedFrom) return {};
  const userOf = await showUsers([mergedFrom.createdBy], { withEmail: !isForVisitor });
  const shown = presentChangeRequest(mergedFrom, { userOf, mainRevision: _id });
  return { mergedFrom: isForVisitor ? { ...shown, subject: '' } : shown };
}
