import { hash } from 'node:crypto';
import type { Reader } from '../../../http/actor.ts';
import { thePlatform } from '../../../platform.ts';
import { version } from '../../../version.ts';

/**
 * The entity tag of a read of content: the hashes of what it shows, how the caller wants it, and as which visitor of which site.
 *
 * The same content may look different after an update of the platform or with other URLs; then it is another answer.
 */
export function contentTag({ query, reader }: { query: object; reader: Reader }, ...hashes: string[]): string {
  const { publicUrl, appUrl } = thePlatform().config.api;
  const { site, claims, isPreview } = reader.visitor ?? {};
  const how = [version, publicUrl, appUrl, query, site, claims, isPreview];
  return [...hashes, hash('sha256', JSON.stringify(how), 'base64url').slice(0, 8)].join('-');
}
