import { isConditionMet, type VisitorClaims } from '@bindery/dialect';
import type { PublishedContentSite, Role, SiteCustomization } from '@bindery/contract';
import { effectiveCustomization } from '../site-customization/effectiveCustomization.ts';
import { presentSite } from '../site/site.presenter.ts';
import type { SiteView } from '../site/siteView.ts';
import { presentStructure } from '../site/structure.presenter.ts';

/**
 * @param role    what the caller may do in the site
 * @param claims  what is known of a visitor, who gets no link of the header whose condition it does not meet; members get all
 */
export function presentPublishedSite(
  view: SiteView,
  { role, claims }: { role: Role; claims?: VisitorClaims | undefined },
): PublishedContentSite {
  const { site, organization, shareKey, siteSpaces } = view;
  const looks = siteSpaces.map((siteSpace) => [siteSpace._id, shownLook(effectiveCustomization(site, siteSpace), claims)]);
  return {
    object: 'published-content-site',
    site: presentSite(site, { role, organization, shareKey }),
    structure: presentStructure(view),
    customizations: { site: shownLook(effectiveCustomization(site), claims), siteSpaces: Object.fromEntries(looks) },
    scripts: [],
  };
}

function shownLook(look: SiteCustomization, claims: VisitorClaims | undefined): SiteCustomization {
  if (!claims || look.header.links.every(({ condition }) => condition === undefined)) return look;
  const links = look.header.links.filter(({ condition }) => condition === undefined || isConditionMet(condition, claims));
  return { ...look, header: { ...look.header, links } };
}
