import type { ShownPage } from '@bindery/content';
import type { SearchPageResult } from '@bindery/contract';
import { appUrl } from '../../platform.ts';

export function presentPageResult({ space, page: id, title, path, description = '', score, rank, ...found }: ShownPage): SearchPageResult {
  const url = appUrl(`/s/${space}/${path.split('/').map(encodeURIComponent).join('/')}`);
  const sections = found.sections.map(({ id: anchor, title: heading, body, score: sectionScore }) => ({
    // What stands before the first heading is the page itself.
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
    ...(sections.length > 0 && { sections }),
    urls: { app: url },
  };
}
