import { html, type Value } from '@bindery/html';
import type { SitePaths } from '../page/sitePaths.ts';
import { siteWords } from '../visit/language.ts';
import type { OpenVisit } from '../visit/openVisit.ts';

type Place = Pick<OpenVisit, 'visit'> & { paths: SitePaths };

/** Links to the sections of a site, and to the variants of the current section; nothing when there is one. */
export function writeSwitchers({ visit, paths }: Place): Value {
  const { tree, section, siteSpace, site } = visit;
  const variants = tree.siteSpaces.filter((variant) => variant.section === section?._id);
  const sections = tree.sections.flatMap(({ _id, title, defaultSiteSpace }) => {
    const inside = tree.siteSpaces.filter((variant) => variant.section === _id);
    const first = inside.find((variant) => variant._id === defaultSiteSpace) ?? inside[0];
    const href = first && paths.siteSpace(first._id);
    return href === undefined ? [] : [{ title, href, isHere: _id === section?._id }];
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

function writeList(label: string, links: readonly { title: string; href: string; isHere: boolean }[]): Value {
  const items = links.map(
    ({ title, href, isHere }) =>
      html`<li><a href="${href}" aria-current="${isHere && 'true'}">${title}</a></li>`,
  );
  return html`<nav aria-label="${label}"><ul>${items}</ul></nav>`;
}
