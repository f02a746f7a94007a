import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import type { PublishedContentSite, Role, SiteCustomization } from '@bindery/contract';
import { effectiveCustomization } from '@bindery/publishing';
import { presentSite } from '../site/site.presenter.ts';
import type { SiteView } from '../site/siteView.ts';
import { presentStructure } from '../site/structure.presenter.ts';

/**
 * @param role    the role of the caller in the site
 * @param claims  the claims of a visitor, who gets only the links of the header whose conditions they meet;
 *   members get all links
 */
export function presentPublishedSite(
  view: SiteView,
  { role, claims }: { role: Role; claims?: VisitorClaims | undefined },
): PublishedContentSite {
  const { links, site, organization, shareKey, siteSpaces } = view;
  const looks = siteSpaces.map((siteSpace) => [
    siteSpace._id,
    shownLook(effectiveCustomization(site, siteSpace), claims),
  ]);
  return {
    object: 'published-content-site',
    site: presentSite(site, { links, role, organization, shareKey }),
    structure: presentStructure(view),
    customizations: {
      site: shownLook(effectiveCustomization(site), claims),
      siteSpaces: Object.fromEntries(looks),
    },
    scripts: [],
  };
}

function shownLook(look: SiteCustomization, claims: VisitorClaims | undefined): SiteCustomization {
  if (!claims || look.header.links.every(({ condition }) => condition === undefined)) return look;
  const links = look.header.links.filter(
    ({ condition }) => condition === undefined || isConditionMet(condition, claims),
  );
  return { ...look, header: { ...look.header, links } };
}
