import { findLatestVersions, findVersionsOf, type ReadableSpecs } from '@bindery/content';
import { findSpecsOfVisitor, type Visitor } from '@bindery/publishing';
import type { Actor } from '../../../http/actor.ts';
import type { Platform } from '../../../platform.ts';
import { findOwnMember } from '../../../records/ownMember.ts';
import { visibleSpecs } from '../../openapi-spec/specsOfGuest.ts';

type SpecView = {
  platform: Pick<Platform, 'blobs' | 'links'>;
  organization: string;
  reader: { actor: Actor; visitor?: undefined } | { actor?: undefined; visitor: Visitor };
};

/**
 * Finds, among the specifications that a page names, those that its reader may see, by the rules for reading
 * their content: a token for single spaces sees none.
 */
export async function findReadableSpecs(
  names: ReadonlySet<string>,
  { platform: { blobs, links }, organization, reader: { actor, visitor } }: SpecView,
): Promise<ReadableSpecs> {
  const none = { versions: new Map(), blobs };
  if (names.size === 0) return none;
  if (visitor) {
    const specs = await findSpecsOfVisitor(names, { links, organization, visitor });
    return { versions: await findVersionsOf(specs, organization), blobs };
  }
  const member = await findOwnMember(actor, organization);
  if (!member || member.limit?.spaces) return none;
  const visible = await visibleSpecs({ links, member });
  return { versions: await findLatestVersions(organization, names, visible), blobs };
}
