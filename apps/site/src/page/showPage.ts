import { loadFiles, type FoundPage, type PageTree } from '@bindery/content';
import { html, trusted, type Value } from '@bindery/html';
import type { RenderedPage, Words } from '@bindery/render';
import { answerOf } from '../answer/answer.ts';
import type { Made } from '../answer/keptAnswers.ts';
import { pageCardOf } from '../cards/pageCard.ts';
import { cardPath } from '../cards/sendCard.ts';
import { writeFeedbackForm } from '../feedback/feedbackForm.ts';
import { customPartsOf } from '../frame/customParts.ts';
import { writeFrame } from '../frame/frame.ts';
import { lookOf } from '../frame/look.ts';
import { entriesOf, inReadingOrder, writeNavigation, type Entry } from '../frame/navigation.ts';
import { writePageActions } from '../frame/pageActions.ts';
import { writePageMetadata } from '../frame/pageMetadata.ts';
import { writePageTags } from '../frame/pageTags.ts';
import { writeSwitchers } from '../frame/switchers.ts';
import { createPageIcons, type PageIcons } from '../icons/pageIcons.ts';
import type { SitePlatform } from '../sitePlatform.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import type { TargetSource } from './collectTargets.ts';
import { previewNote } from '../visit/previewNote.ts';
import { coverOf } from './cover.ts';
import { readBody } from './readBody.ts';
import type { SiteContent } from './siteContent.ts';
import { below, markdownPath, pagePath, type SitePaths } from './sitePaths.ts';

/** A page that a visitor asked for. */
export type PageVisit = OpenVisit & { content: SiteContent; paths: SitePaths; found: FoundPage };

/** Writes a page with its frame. */
export async function showPage(visited: PageVisit, platform: SitePlatform): Promise<Made> {
  const { visit, found, content, paths, visitor } = visited;
  const { page } = found;
  const files = new Map((await loadFiles(content.revision)).map((file) => [file.id, file]));
  const source: TargetSource = { visit, visitor, paths, content, files };
  const { rendered, isLasting, specs } = await readBody(page, source, platform);
  const parts = await customPartsOf(visited, source);
  const { customization, language, words } = parts;
  const entries = await entriesOf(content.pages.tree, source);
  const cover = await coverOf(page, source);
  const { hasMath } = rendered;
  const { policy, ...look } = await lookOf(customization, { site: paths.site, hasMath, cover });
  const icons = createPageIcons(customization.styling.icons);
  const card = pageCardOf(page, { ...parts, fonts: platform.cardFonts });
  const base = paths.own;
  const own = pagePath(page, { base, pages: content.pages }) ?? base;
  const {
    description,
    noIndex,
    noRobotsIndex,
    layout = {},
  } = page.type === 'document' ? page : { description: undefined };
  const markdown = markdownPath(page, { base, pages: content.pages });
  const text = writeFrame({
    ...parts,
    title: page.title,
    preview: previewNote(visited),
    direction: rendered.direction,
    paths,
    ...look,
    // The visitor sees the text whose start this is.
    description: description || rendered.summary,
    canonical: visitor.isAnybody ? visit.canonicalUrl : undefined,
    // Services that show previews fetch the card as an anonymous visitor.
    card: visitor.isAnybody && card ? urlOf(cardPath(page.id, card, paths), visit) : undefined,
    markdown,
    layout,
    cover: cover?.size !== 'hero' && cover?.picture,
    // No author can write this class.
    feed: rendered.html.includes('class="updates"') ? below(own, 'rss.xml') : undefined,
    isIndexed: visit.site.visibility === 'public' && !visitor.isPreview && !noIndex && !noRobotsIndex,
    switchers: writeSwitchers({ visit, paths, icons }),
    navigation: writeNavigation(entries, { current: found, words, icons }),
    outline: layout.outline !== false && writeOutline(rendered.headings, words),
    needsMath: hasMath,
    main: [
      cover?.size === 'hero' && cover.picture,
      writeBreadcrumbs(found, { base, content, words }),
      layout.actions !== false && writePageActions(page, { visit, customization, words, paths, markdown }),
      writePageTags(page, words),
      html`<article class="page" lang="${language}" dir="${rendered.direction}">${writeTitleIcon(page, icons)}${trusted(rendered.html)}</article>`,
      writeFeedbackForm(page, { visit, visitor, content, paths, words }),
      customization.pagination.enabled &&
        layout.pagination !== false &&
        writePager(entries, { page: page.id, words }),
      layout.metadata !== false && (await writePageMetadata(page, { visit, language, words })),
    ],
    // After all that writes icons.
    iconPaths: icons.writePaths(),
  });
  const answer = answerOf(text, { contentType: 'text/html; charset=utf-8', policy });
  return { answer, isLasting, specs };
}

function urlOf(path: string, { canonicalUrl }: OpenVisit['visit']): string | undefined {
  return URL.parse(path, canonicalUrl)?.href;
}

/** The icon beside the title; an emoji is in the title itself. */
function writeTitleIcon(page: PageTree, icons: PageIcons): Value {
  return page.type === 'document' && page.emoji === undefined && icons.write(page.icon);
}

function writeBreadcrumbs(
  { ancestors }: FoundPage,
  { base, content, words }: { base: string; content: SiteContent; words: Words },
): Value {
  if (ancestors.length === 0) return null;
  const items = ancestors.map((page) => {
    const href = page.type === 'document' ? pagePath(page, { base, pages: content.pages }) : undefined;
    return html`<li>${href === undefined ? page.title : html`<a href="${href}">${page.title}</a>`}</li>`;
  });
  return html`<nav class="crumbs" aria-label="${words.breadcrumbs}"><ol>${items}</ol></nav>`;
}

/** Further headings are left out of the contents of a page. */
const maxHeadings = 200;

function writeOutline(headings: RenderedPage['headings'], words: Words): Value {
  const shown = headings
    .slice(1)
    .filter(({ level }) => level <= 3)
    .slice(0, maxHeadings);
  if (shown.length < 2) return null;
  const items = shown.map(
    ({ id, level, title }) =>
      html`<li class="level-${level}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`,
  );
  return html`<nav class="outline" aria-label="${words.onThisPage}"><ul>${items}</ul></nav>`;
}

function writePager(entries: readonly Entry[], { page, words }: { page: string; words: Words }): Value {
  const order = [...inReadingOrder(entries)];
  const at = order.findIndex(({ id }) => id === page);
  if (at < 0) return null;
  const link = (entry: Entry | undefined, { name, label }: { name: string; label: string }) =>
    entry?.href !== undefined &&
    html`<a class="${name}" href="${entry.href}" rel="${name}"><small>${label}</small>${entry.title}</a>`;
  const previous = link(order[at - 1], { name: 'prev', label: words.previous });
  const next = link(order[at + 1], { name: 'next', label: words.next });
  return (
    (previous || next) &&
    html`<nav class="pager" aria-label="${words.previousAndNext}">${previous}${next}</nav>`
  );
}
