import { loadFiles, variablesOf, type PageTree } from '@bindery/content';
import { isSubstitute, loadParsed, readDocument } from '@bindery/publishing';
import type { RenderedPage } from '@bindery/render';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { collectTargets } from './collectTargets.ts';
import type { SiteContent } from './siteContent.ts';
import type { SitePaths } from './sitePaths.ts';

/** The body of a page. `isLasting`: equal input gives it again; false when the machine was too slow. */
export type Body = { rendered: RenderedPage; isLasting: boolean };

type Place = Pick<OpenVisit, 'visit' | 'visitor'> & { content: SiteContent; paths: SitePaths };

/** Reads and renders a page as its visitor sees it. */
export async function readBody(page: PageTree, place: Place, platform: SitePlatform): Promise<Body> {
  const { visitor, content, visit } = place;
  const { revision } = content;
  const reading = {
    links: platform.links,
    revision,
    reader: { visitor },
    query: { evaluated: 'true', dereferenced: 'true' } as const,
  };
  const parsed = await loadParsed({ page }, { organization: revision.organization, reader: { visitor } });
  const document = await readDocument({ page }, reading);
  const files = new Map((await loadFiles(revision)).map((file) => [file.id, file]));
  const targets = await collectTargets(document, { ...place, files });
  const { description, emoji } = page.type === 'document' ? page : {};
  const rendered = await platform.renderers.render({
    page: { id: page.id, title: page.title, description, emoji, language: languageOf(place) },
    document,
    reader: { claims: visitor.claims },
    variables: variablesOf(revision, page),
    medium: 'screen',
    ...targets,
    specs: new Map(),
  });
  if (typeof rendered !== 'string') return { rendered, isLasting: !parsed || !isSubstitute(parsed) };
  platform.log.warn({ site: visit.site._id, page: page.id }, `a page is not shown: ${rendered}`);
  return { rendered: unreadable(page.title), isLasting: false };
}

/** The language of the texts of a site space. */
export function languageOf({ visit }: Pick<Place, 'visit'>): string {
  return visit.spaces.get(visit.siteSpace.space)?.language ?? 'en';
}

/** What is shown of a page that cannot be laid out. */
function unreadable(title: string): RenderedPage {
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    html: `<h1 id="~top">${escaped}</h1><p>This page is too large to be shown. Its Markdown is below the same address with .md.</p>`,
    cuts: [],
    direction: 'ltr',
    headings: [{ id: '~top', level: 1, title }],
    ids: ['~top'],
    images: [],
    hasMath: false,
  };
}
