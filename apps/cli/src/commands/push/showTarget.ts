import type { ChangeRequest } from '@bindery/contract';
import type { ApiAccess } from '../api/apiAccess.ts';
import { apiPath } from '@bindery/runtime';

/** Finds the number and the URL of a change request, to be shown. */
export async function showTarget(
  api: ApiAccess,
  { space, changeRequest }: { space: string; changeRequest: string | undefined },
): Promise<{ url?: string; number?: number }> {
  if (changeRequest === undefined) return {};
  const path = apiPath`/spaces/${space}/change-requests/${changeRequest}`;
  const { urls, number } = (await api.get(path)) as unknown as ChangeRequest;
  return { url: urls.app, number };
}
