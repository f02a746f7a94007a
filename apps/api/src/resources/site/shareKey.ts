import type { SiteRecord } from '@bindery/models';
import type { SecretKeys } from '@bindery/runtime';
import { findShareLink } from '../../records/shareKey.ts';

/** Returns the given key if it opens the site, so that published URLs contain it; a wrong key is ignored. */
export async function findShareKey(
  secrets: SecretKeys,
  { site, shareKey }: { site: Pick<SiteRecord, '_id'>; shareKey: string | undefined },
): Promise<string | undefined> {
  return (await findShareLink(secrets, { site: site._id, key: shareKey })) && shareKey;
}
