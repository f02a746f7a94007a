import { findRevision } from '@bindery/content';
import { Site, Space, type OpenAPISpecRecord, type SiteRecord, type SpaceRecord } from '@bindery/models';
import type { Reader, Visitor } from '../../http/actor.ts';
import { loadShownTargets } from '../content/shownContent.ts';
import { loadVisibleTree } from '../site/siteView.ts';
import { findSpec } from './findSpec.ts';

/**
 * A specification of an organization that a member may see. A visitor of a site sees those that are public, and those that the pages which it sees
 * there show operations or models of.
 */
export async function findReadableSpec(
  organization: string,
  { slug, reader: { visitor } }: { slug: string; reader: Reader },
): Promise<OpenAPISpecRecord | undefined> {
  if (visitor && (!visitor.isAdmitted || visitor.organization !== organization)) return undefined;
  const spec = await findSpec(organization, slug);
  if (!spec || !visitor || spec.visibility === 'public') return spec;
  return (await isShown(spec, visitor)) ? spec : undefined;
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
