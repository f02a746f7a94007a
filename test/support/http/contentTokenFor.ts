import type { SiteRecord } from '@bindery/models';
import { type ContentToken, signContentToken } from '@bindery/publishing';
import type { Config } from '@bindery/runtime';

/**
 * Makes a content token like that of a site's visitor, without requesting its URL. `spaces` may stay empty:
 * it does not decide what the visitor may read.
 */
export async function contentTokenFor(
  { config }: { config: Config },
  { _id, organization, visibility }: Pick<SiteRecord, '_id' | 'organization' | 'visibility'>,
  fields: Partial<ContentToken> = {},
): Promise<string> {
  return signContentToken(config.secrets, {
    kind: 'site',
    organization,
    site: _id,
    siteSpace: 'any',
    space: 'any',
    spaces: [],
    visibility,
    ...fields,
  });
}
