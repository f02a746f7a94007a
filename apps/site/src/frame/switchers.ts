import { html, type Value } from '@bindery/html';
import type { PageIcons } from '../icons/pageIcons.ts';
import type { SitePaths } from '../page/sitePaths.ts';
import { siteWords } from '../visit/language.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

type Place = Pick<OpenVisit, 'visit'> & { paths: SitePaths; icons: PageIcons };

/** Links to the sections of a site, and to the variants of the current section; nothing when there is one. */
export function writeSwitchers({ visit, paths, icons }: Place): Value {
  const { tree, section, siteSpace, site } = visit;
  const variants = tree.siteSpaces.filter((variant) => variant.section === section?._id);
  const sections = tree.sections.flatMap(({ _id, title, icon, defaultSiteSpace }) => {
    const inside = tree.siteSpaces.filter((variant) => variant.section === _id);
    const first = inside.find((variant) => variant._id === defaultSiteSpace) ?? inside[0];
    const href = first && paths.siteSpace(first._id);
    return href === undefined ? [] : [{ title, sign: icons.write(icon), href, isHere: _id === section?._id }];
  });
  const titles = variants.map((variant) => ({
    title: visit.spaces.get(variant.space)?.title ?? variant.path,
    href: paths.siteSpace(variant._id) ?? paths.site,
    isHere: variant._id === siteSpace._id,
  }));
  const lists = [
    sections.length > 1 && writeList(siteWords({ visit }).sections, sections),
    titles.length > 1 && writeList(section?.title ?? site.title, titles),
  ].filter((list) => list !== false);
  return lists.length > 0 && html`<div class="switchers">${lists}</div>`;
}

type SwitcherLink = { title: string; sign?: Value; href: string; isHere: boolean };

function writeList(label: string, links: readonly SwitcherLink[]): Value {
  const items = links.map(
    ({ title, sign, href, isHere }) =>
      html`<li><a href="${href}" aria-current="${isHere && 'true'}">${sign}${title}</a></li>`,
  );
  return html`<nav aria-label="${label}"><ul>${items}</ul></nav>`;
}
