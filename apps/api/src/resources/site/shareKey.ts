import type { SiteRecord } from '@bindery/models';
import { findShareLink } from '@bindery/publishing';
import type { SecretKeys } from '@bindery/runtime';

/** Returns the given key if it opens the site, so that published URLs contain it; a wrong key is ignored. */
export async function findShareKey(
  secrets: SecretKeys,
  { site, shareKey }: { site: Pick<SiteRecord, '_id'>; shareKey: string | undefined },
): Promise<string | undefined> {
  return (await findShareLink(secrets, { site: site._id, key: shareKey })) && shareKey;
}
