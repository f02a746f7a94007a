import { findRevision } from '@bindery/content';
import { Site, Space, type OpenAPISpecRecord, type SiteRecord, type SpaceRecord } from '@bindery/models';
import { loadShownTargets, type Visitor } from '@bindery/publishing';
import type { Reader } from '../../http/actor.ts';
import type { Links } from '../../presenters/links.ts';
import { findOwnMember } from '../../records/ownMember.ts';
import { loadVisibleTree } from '../site/siteView.ts';
import { findSpec } from './findSpec.ts';
import { findVisibleSpec } from './specsOfGuest.ts';

/**
 * Finds a specification that a reader may see. Members see all. Guests and visitors see public ones, and
 * those whose operations or models appear on pages that they see.
 */
export async function findReadableSpec(
  organization: string,
  { links, slug, reader: { actor, visitor } }: { links: Links; slug: string; reader: Reader },
): Promise<OpenAPISpecRecord | undefined> {
  if (visitor && (!visitor.isAdmitted || visitor.organization !== organization)) return undefined;
  const member = actor && (await findOwnMember(actor, organization));
  if (member) return findVisibleSpec(slug, { links, member });
  const spec = visitor && (await findSpec(organization, slug));
  if (!spec || spec.visibility === 'public') return spec;
  return (await isShown(spec, { links, visitor })) ? spec : undefined;
}

type VisitorView = { links: Links; visitor: Visitor };

async function isShown(spec: OpenAPISpecRecord, { links, visitor }: VisitorView): Promise<boolean> {
  const site = await Site.findById(visitor.site).lean<SiteRecord>();
  if (!site) return false;
  const { siteSpaces } = await loadVisibleTree({ site, visitor });
  for (const id of new Set(siteSpaces.map(({ space }) => space)))
    if (await isShownIn(id, { links, spec, visitor })) return true;
  return false;
}

async function isShownIn(
  spaceId: string,
  { links, spec, visitor }: VisitorView & { spec: OpenAPISpecRecord },
): Promise<boolean> {
  const space = await Space.findById(spaceId).lean<SpaceRecord>();
  const revision = space && (await findRevision(space._id, space.revision));
  if (!revision) return false;
  const { specs } = await loadShownTargets(revision, { links, visitor });
  return specs.has(spec.slug) || specs.has(spec._id);
}
