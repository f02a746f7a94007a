import { variablesOf, type PageTree } from '@bindery/content';
import { html } from '@bindery/html';
import { isSubstitute, loadParsed, readDocument } from '@bindery/publishing';
import type { RenderedPage } from '@bindery/render';
import type { SitePlatform } from '../sitePlatform.ts';
import { languageOf, siteWords } from '../visit/language.ts';
import type { Made } from '../answer/keptAnswers.ts';
import { collectTargets, type TargetSource } from './collectTargets.ts';
import { readPageSpecs } from './pageSpecs.ts';

/** The body of a page. `isLasting`: equal input gives it again; false when the machine was too slow. */
export type Body = { rendered: RenderedPage } & Pick<Made, 'isLasting' | 'specs'>;

/** Reads and renders a page as its visitor sees it. */
export async function readBody(page: PageTree, source: TargetSource, platform: SitePlatform): Promise<Body> {
  const { visitor, content, visit } = source;
  const { revision } = content;
  const reading = {
    links: platform.links,
    revision,
    reader: { visitor },
    query: { evaluated: 'true', dereferenced: 'true' } as const,
  };
  const parsed = await loadParsed({ page }, { organization: revision.organization, reader: { visitor } });
  const specPages = content.specPages;
  const made = specPages?.documents.get(page.id);
  const document = made ? await made() : await readDocument({ page }, reading);
  if (!document) return { rendered: unreadable(page.title, source), isLasting: false };
  const [targets, specs] = await Promise.all([
    collectTargets(document, source),
    readPageSpecs(document, { visit, visitor, platform }),
  ]);
  const { description, emoji } = page.type === 'document' ? page : {};
  const rendered = await platform.renderers.render({
    page: { id: page.id, title: page.title, description, emoji, language: languageOf(source) },
    document,
    reader: { claims: visitor.claims },
    variables: variablesOf(revision, page),
    medium: 'screen',
    ...targets,
    specs: specs.excerpts,
  });
  if (typeof rendered !== 'string') {
    const isLasting = specs.isWhole && specPages?.isWhole !== false && (!parsed || !isSubstitute(parsed));
    return { rendered, isLasting, specs: specs.shown };
  }
  platform.log.warn({ site: visit.site._id, page: page.id }, `a page is not shown: ${rendered}`);
  return { rendered: unreadable(page.title, source), isLasting: false };
}

/** Stands in for a page that cannot be laid out. */
function unreadable(title: string, source: TargetSource): RenderedPage {
  return {
    html: html`<h1 id="~top">${title}</h1><p>${siteWords(source).tooLarge}</p>`.toString(),
    cuts: [],
    direction: 'ltr',
    headings: [{ id: '~top', level: 1, title }],
    ids: ['~top'],
    images: [],
    hasMath: false,
  };
}
