import { hash } from 'node:crypto';
import type { OrganizationRecord, SiteRecord } from '@bindery/models';
import type { SpaceState } from '../site/shownTo.ts';
import type { SiteTree } from '../site/siteTree.ts';

/**
 * Computes a value that identifies the state of a site for a visitor: it changes with the look of the site,
 * its structure and the content of its spaces, but not with redirects or API specifications.
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
}): string {
  const parts = siteSpaces.map(({ space, customization }) => [spaces.get(space), customization?.updatedAt]);
  const state = [
    organization.version,
    site.version,
    site.structureVersion,
    groups.map(({ title, icon }) => [title, icon]),
    parts,
  ];
  return hash('sha256', JSON.stringify(state), 'base64url').slice(0, 22);
}
