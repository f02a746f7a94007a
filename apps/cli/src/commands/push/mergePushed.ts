import { apiPath } from '@bindery/runtime';
import { ApiRefusal, type ApiAccess } from '../api/apiAccess.ts';
import type { FolderResult } from './sendFolder.ts';

/**
 * Merges a change request as it was checked after a push.
 *
 * @returns false when the change request or the main content has changed since, or somebody has merged it:
 *   nothing is merged then
 * @throws Refusal when the API refuses the merge for another reason
 */
export async function mergePushed(
  api: ApiAccess,
  { space, changeRequest, result }: { space: string; changeRequest: string; result: FolderResult },
): Promise<boolean> {
  // A worker of an earlier version does not say which main content it has compared.
  if (result.mainRevision === undefined) return false;
  const revisions = { main: result.mainRevision, changeRequest: result.revision };
  try {
    await api.post(apiPath`/spaces/${space}/change-requests/${changeRequest}/merge`, { json: { revisions } });
    return true;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 409) return false;
    throw error;
  }
}
