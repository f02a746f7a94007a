import type { ShownPage } from '@bindery/content';
import type { SearchPageResult } from '@bindery/contract';
import type { Links } from '../../presenters/links.ts';

export function presentPageResult(
  { space, page: id, title, path, description = '', score, rank, ...found }: ShownPage,
  links: Links,
): SearchPageResult {
  const url = links.app(`/s/${space}/${path.split('/').map(encodeURIComponent).join('/')}`);
  const sections = found.sections.map(({ id: anchor, title: heading, body, score: sectionScore }) => ({
    // The section before the first heading has the id of the page.
    id: anchor === '' ? id : anchor,
    title: heading === '' ? title : heading,
    path: anchor === '' ? path : `${path}#${anchor}`,
    body,
    score: sectionScore,
    urls: { app: anchor === '' ? url : `${url}#${encodeURIComponent(anchor)}` },
  }));
  return {
    id,
    title,
    description,
    path,
    score,
    rank,
    ancestors: found.ancestors.map((ancestor) => ({ title: ancestor })),
    sections: sections.length > 0 ? sections : undefined,
    urls: { app: url },
  };
}
