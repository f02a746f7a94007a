import type { OpenAPISpecRecord } from '@bindery/models';
import { findSpecsOfVisitor } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import type { Links } from '../../presenters/links.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { findVisibleSpec } from './specsOfGuest.ts';

/**
 * Finds a specification that a reader may see. Members see all. Guests and visitors see public ones, and
 * those whose operations or models appear on pages that they see.
 */
export async function findReadableSpec(
  organization: string,
  { links, slug, reader: { actor, visitor } }: { links: Links; slug: string; reader: Reader },
): Promise<OpenAPISpecRecord | undefined> {
  if (visitor) return (await findSpecsOfVisitor([slug], { links, organization, visitor })).get(slug);
  const member = await findOwnMember(actor, organization);
  return member && findVisibleSpec(slug, { links, member });
}
