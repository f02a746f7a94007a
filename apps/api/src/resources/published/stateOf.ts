import { hash } from 'node:crypto';
import type { OrganizationRecord, SiteRecord } from '@bindery/models';
import type { SpaceState } from '../site/shownTo.ts';
import type { SiteTree } from '../site/siteTree.ts';

/**
 * Names the present state of what a visitor is shown of a site: another one after each change of its look,
 * its structure, or the content of its spaces. Redirects and API specifications are not in it.
 *
 * @param siteSpaces  those that the visitor sees: what changes elsewhere is nothing to it
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
