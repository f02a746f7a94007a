import type { OrganizationRecord, SiteRecord, SiteSpaceRecord } from '@bindery/models';
import type { AppLinks } from '../site/appLinks.ts';
import { shownTo, type SpaceState } from '../site/shownTo.ts';
import type { SiteTree } from '../site/siteTree.ts';
import { siteSpacePath, siteUrl } from '../site/siteUrl.ts';
import type { Admitted } from '../visitor/admitVisitor.ts';
import { decoded, type FoundSite } from './findSiteByUrl.ts';
import { stateOf } from './stateOf.ts';
import { findShownChangeRequest, withContentOf, type ShownChangeRequest } from './shownChangeRequest.ts';
import { walkSite } from './walkSite.ts';

/** The part of a site that a URL leads to, as its visitor sees it. */
export type Visit = {
  organization: OrganizationRecord;
  site: SiteRecord;
  admitted: Admitted;
  /** The structure that the visitor sees. */
  tree: SiteTree;
  /** The spaces that are not deleted, by id. */
  spaces: ReadonlyMap<string, SpaceState>;
  siteSpace: SiteSpaceRecord;
  section: SiteTree['sections'][number] | undefined;
  /** The change request whose content `spaces` has in place of that of its space. */
  changeRequest: ShownChangeRequest | undefined;
  /** Segments of the URL that lead to the site, with the secret of a share link or of a preview. */
  siteBase: string[];
  /** Segments of the URL that lead to the site space. */
  base: string[];
  /** The segments behind those, as written. */
  page: string[];
  /** Whether no longer path could lead to another site space. */
  isComplete: boolean;
  /** The URL of the same page without names of defaults. */
  canonicalUrl: string;
  /** Whether the path names a default section or site space, which `canonicalUrl` leaves out. */
  namesDefault: boolean;
  /** Changes with everything that the visitor sees of the site, except redirects and specifications. */
  state: string;
  /** The same, without the content and the names of the spaces. */
  structure: string;
};

/** Locates the content under a URL for an admitted visitor; undefined when the site shows them nothing. */
export async function locateVisit(
  { site, organization, tree: whole, spaces: live, base, rest }: FoundSite,
  admitted: Admitted,
  links: AppLinks,
): Promise<Visit | undefined> {
  const { claims, key } = admitted;
  const { changeRequest: wanted } = admitted;
  const changeRequest = wanted === undefined ? undefined : await findShownChangeRequest(wanted, live);
  if (wanted !== undefined && !changeRequest) return undefined;
  const spaces = changeRequest ? withContentOf(changeRequest, live) : live;
  const shown = shownTo(claims, {
    ...whole,
    siteSpaces: whole.siteSpaces.filter(({ space }) => spaces.has(space)),
  });
  // The key that opens the site is the segment between the site and the rest of the path.
  const path = key ? rest.slice(1) : rest;
  const match = walkSite({ site, ...shown }, path.map(decoded));
  const siteSpace = match && shown.siteSpaces.find(({ _id }) => _id === match.siteSpace._id);
  if (!match || !siteSpace) return undefined;
  const siteBase = [...base, ...(key ? rest.slice(0, 1) : [])];
  const page = path.slice(match.used);
  const shortest = siteSpacePath({ site, sections: whole.sections, siteSpace }).split('/').slice(1);
  const short = walkSite({ site, ...shown }, [...shortest, ...page].map(decoded));
  // Without the name of the default, the page path could be taken for another part of the site.
  const isShortGood = short?.siteSpace === siteSpace && short.used === shortest.length;
  const { groups } = whole;
  const sections = new Set(shown.sections.map(({ group }) => group));
  return {
    organization,
    site,
    admitted,
    tree: { ...whole, ...shown, groups: groups.filter(({ _id }) => sections.has(_id)) },
    spaces,
    siteSpace,
    section: shown.sections.find(({ _id }) => _id === match.section?._id),
    changeRequest,
    siteBase,
    base: [...siteBase, ...path.slice(0, match.used)],
    page,
    isComplete: match.isComplete,
    canonicalUrl:
      siteUrl(site, { links, organization, shareKey: key?.shareKey }) +
      pathOf(isShortGood ? [...shortest, ...page] : path, ''),
    namesDefault: isShortGood && match.used > shortest.length,
    ...stateOf({ organization, site, groups, siteSpaces: shown.siteSpaces, spaces }),
  };
}

/** A path of these segments; `root` for none. */
export function pathOf(segments: readonly string[], root = '/'): string {
  return segments.length === 0 ? root : `/${segments.join('/')}`;
}
