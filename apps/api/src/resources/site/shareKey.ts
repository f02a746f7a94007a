import type { SiteRecord } from '@bindery/models';
import { findShareLink } from '../../records/shareKey.ts';

/** The key that a caller gave, when it opens the site: then published URLs hold it. A wrong one is as good as none. */
export async function findShareKey(site: Pick<SiteRecord, '_id'>, shareKey: string | undefined): Promise<string | undefined> {
  return (await findShareLink(site._id, shareKey)) && shareKey;
}
