import { hash } from 'node:crypto';
import { platformVersion } from '@bindery/runtime';
import type { Reader } from '../../../http/actor.ts';
import type { Links } from '../../../presenters/links.ts';

type TaggedRead = { links: Links; query: object; reader: Reader };

/**
 * The entity tag of a read of content: combines the hashes of the content with a hash of the query and the
 * visitor.
 *
 * The tag also changes with the version and the URLs of the platform, as both change the answer.
 */
export function contentTag({ links, query, reader }: TaggedRead, ...hashes: string[]): string {
  const { publicUrl, appUrl, sitesUrl } = links;
  const { site, claims, isPreview } = reader.visitor ?? {};
  const how = [platformVersion, publicUrl, appUrl, sitesUrl, query, site, claims, isPreview];
  return [...hashes, hash('sha256', JSON.stringify(how), 'base64url').slice(0, 8)].join('-');
}
