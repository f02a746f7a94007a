import { hash } from 'node:crypto';
import type { OrganizationRecord, SiteRecord } from '@bindery/models';
import type { SpaceState } from '../site/shownTo.ts';
import type { SiteTree } from '../site/siteTree.ts';

/**
 * Computes values that identify the state of a site for a visitor. `state` changes with the look of the site,
 * its structure and the content of its spaces, but not with redirects or API specifications; `structure`
 * stays when only the content or the name of a space changes.
 *
 * @param siteSpaces  the site spaces that the visitor sees; changes elsewhere have no effect
 */
export function stateOf({
  organization,
  site,
  groups,
  siteSpaces,
  spaces,
}: {
  organization: OrganizationRecord;
  site: SiteRecord;
  groups: SiteTree['groups'];
  siteSpaces: SiteTree['siteSpaces'];
  spaces: ReadonlyMap<string, SpaceState>;
}): { state: string; structure: string } {
  const structure = hashOf([
    organization.version,
    site.version,
    site.structureVersion,
    groups.map(({ title, icon }) => [title, icon]),
    siteSpaces.map(({ _id, space, customization }) => [_id, space, customization?.updatedAt]),
  ]);
  return { structure, state: hashOf([structure, siteSpaces.map(({ space }) => spaces.get(space))]) };
}

function hashOf(parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}
