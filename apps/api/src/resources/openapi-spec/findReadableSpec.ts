import { findRevision } from '@bindery/content';
import { Site, Space, type OpenAPISpecRecord, type SiteRecord, type SpaceRecord } from '@bindery/models';
import type { Reader, Visitor } from '../../http/actor.ts';
import { loadShownTargets } from '../content/shown/shownContent.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { loadVisibleTree } from '../site/siteView.ts';
import { findSpec } from './findSpec.ts';
import { isVisibleSpec } from './specsOfGuest.ts';

/**
 * A specification of an organization that a member may see. Guests, and visitors of a site, see those that are public, and those that pages which they
 * see show operations or models of.
 */
export async function findReadableSpec(
  organization: string,
  { slug, reader: { actor, visitor } }: { slug: string; reader: Reader },
): Promise<OpenAPISpecRecord | undefined> {
  if (visitor && (!visitor.isAdmitted || visitor.organization !== organization)) return undefined;
  const member = actor && (await findOwnMember(actor, organization));
  const spec = visitor || member ? await findSpec(organization, slug) : undefined;
  if (!spec || spec.visibility === 'public') return spec;
  if (member) return (await isVisibleSpec(spec, member)) ? spec : undefined;
  return visitor && (await isShown(spec, visitor)) ? spec : undefined;
}

async function isShown(spec: OpenAPISpecRecord, visitor: Visitor): Promise<boolean> {
  const site = await Site.findById(visitor.site).lean<SiteRecord>();
  if (!site) return false;
  const { siteSpaces } = await loadVisibleTree({ site, visitor });
  for (const id of new Set(siteSpaces.map(({ space }) => space))) if (await isShownIn(id, { spec, visitor })) return true;
  return false;
}

async function isShownIn(spaceId: string, { spec, visitor }: { spec: OpenAPISpecRecord; visitor: Visitor }): Promise<boolean> {
  const space = await Space.findById(spaceId).lean<SpaceRecord>();
  const revision = space && (await findRevision(space._id, space.revision));
  if (!revision) return false;
  const { specs } = await loadShownTargets(revision, visitor);
  return specs.has(spec.slug) || specs.has(spec._id);
}
