import type { SiteRecord } from '@bindery/models';
import type { Config } from '@bindery/runtime';
import { signContentToken, type ContentToken } from '../../../apps/api/src/resources/published/contentToken.ts';

/** A content token as a visitor of a site gets it, without a walk through its URL. What the visitor may read does not depend on the spaces in it. */
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
