import { variablesOf, type PageTree } from '@bindery/content';
import { html } from '@bindery/html';
import { effectiveCustomization, isSubstitute, loadParsed, readDocument } from '@bindery/publishing';
import { idOfPage, type Medium, type RenderedPage } from '@bindery/render';
import type { SitePlatform } from '../sitePlatform.ts';
import { languageOf, siteWords } from '../visit/language.ts';
import type { Made } from '../answer/keptAnswers.ts';
import { collectTargets, type TargetSource } from './collectTargets.ts';
import { readPageSpecs } from './pageSpecs.ts';
import { renderOnce } from './renderOnce.ts';

/** The body of a page. `isLasting`: equal input gives it again; false when the machine was too slow. */
export type Body = { rendered: RenderedPage } & Pick<Made, 'isLasting' | 'specs'>;

/** Default of the medium: a screen. */
type BodySource = TargetSource & { medium?: Medium };

/** Reads and renders a page as its visitor sees it. */
export async function readBody(page: PageTree, source: BodySource, platform: SitePlatform): Promise<Body> {
  const { visitor, content, visit, medium = 'screen' } = source;
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
  if (!document) return { rendered: unreadable(page, source), isLasting: false };
  const [targets, specs] = await Promise.all([
    collectTargets(document, source),
    readPageSpecs(document, { visit, visitor, platform }),
  ]);
  const { description, emoji } = page.type === 'document' ? page : {};
  const request = {
    page: { id: page.id, title: page.title, description, emoji, language: languageOf(source) },
    document,
    // All conditions of the document were evaluated above.
    reader: { claims: {} },
    variables: variablesOf(revision, page),
    medium,
    externalLinks: effectiveCustomization(visit.site, visit.siteSpace).externalLinks.target,
    ...targets,
    specs: specs.excerpts,
  };
  const { organization } = revision;
  const rendered = await renderOnce(request, { organization, renderers: platform.renderers });
  if (typeof rendered !== 'string') {
    const isLasting = specs.isWhole && specPages?.isWhole !== false && (!parsed || !isSubstitute(parsed));
    return { rendered, isLasting, specs: specs.versions };
  }
  platform.log.warn({ site: visit.site._id, page: page.id }, `a page is not shown: ${rendered}`);
  return { rendered: unreadable(page, source), isLasting: false };
}

/** Stands in for a page that cannot be laid out. */
function unreadable({ id: page, title }: PageTree, source: BodySource): RenderedPage {
  const id = source.medium === 'sheets' ? idOfPage(page) : '~top';
  return {
    html: html`<h1 id="${id}">${title}</h1><p>${siteWords(source).tooLarge}</p>`.toString(),
    cuts: [],
    direction: 'ltr',
    headings: [{ id, level: 1, title }],
    ids: [id],
    images: [],
    hasMath: false,
    isComplete: false,
  };
}
