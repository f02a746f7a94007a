import type { IncomingMessage, ServerResponse } from 'node:http';
import { variablesOf } from '@bindery/content';
import { decoded, effectiveCustomization, findPageAt, findRedirect, siteContext } from '@bindery/publishing';
import { platformVersion } from '@bindery/runtime';
import type { Answer, Redirect } from './answer/answer.ts';
import { keep, type Made } from './answer/keptAnswers.ts';
import { askerOf } from './visit/askerOf.ts';
import { sendFile } from './answer/sendFile.ts';
import { feedbackPath } from './feedback/feedbackForm.ts';
import { sendCard } from './cards/sendCard.ts';
import { showNoPage } from './page/showMessage.ts';
import { showPage, type PageVisit } from './page/showPage.ts';
import { showWholeSpace } from './page/showWholeSpace.ts';
import { namesOfShown } from './page/namesOfShown.ts';
import { loadSiteContent, type SiteContent } from './page/siteContent.ts';
import { pagePath, sitePaths, writtenBase } from './page/sitePaths.ts';
import type { SitePlace } from './page/siteContents.ts';
import { withSpecPages } from './page/specPages.ts';
import { answerSearch } from './search/answerSearch.ts';
import { showSearch } from './search/showSearch.ts';
import type { SitePlatform } from './sitePlatform.ts';
import { sendFullText } from './texts/sendFullText.ts';
import { writeLlms, writeRobots } from './texts/siteTexts.ts';
import { writeFeed } from './texts/writeFeed.ts';
import { writeMarkdown } from './texts/writeMarkdown.ts';
import { writeSitemap } from './texts/writeSitemap.ts';
import type { OpenVisit } from './visit/openVisit.ts';

/** A request in the middle of being answered. */
type Exchange = { request: IncomingMessage; response: ServerResponse };

type WriteText = (open: OpenVisit, place: SitePlace) => Promise<Made>;

const texts: ReadonlyMap<string | undefined, WriteText> = new Map([
  ['robots.txt', writeRobots],
  ['sitemap.xml', writeSitemap],
  ['llms.txt', writeLlms],
]);

/** Answers a visit; undefined when the answer was already sent. */
export async function answerVisit(
  exchange: Exchange,
  open: OpenVisit,
  platform: SitePlatform,
): Promise<Answer | Redirect | undefined> {
  const { visit, url } = open;
  const paths = sitePaths(visit);
  const segments = visit.page.map(decoded);
  // The address of a form, which a browser also opens when its page is loaded again.
  if (segments.join('/') === feedbackPath) return { status: 307, location: paths.own };
  if (segments[0] === '~' && segments[1] === 'search') return showSearch(open, { paths, platform });
  if (segments[0] === '~' && segments[1] === 'search.json') return answerSearch(open, { paths, platform });
  const write = segments.length === 1 ? texts.get(visit.page[0]) : undefined;
  if (write) {
    const make = async () => write(open, { paths, platform });
    return keep({ exact: addressOf(open) }, askerOf(open, { platform, variables: {} }), make);
  }
  if (segments.length === 1 && segments[0] === 'llms-full.txt') {
    await sendFullText(exchange, open, {
      paths,
      platform,
      key: JSON.stringify([addressOf(open), open.visitor.claims]),
    });
    return undefined;
  }
  if (visit.namesDefault && !open.visitor.isPreview)
    return { status: 307, location: visit.canonicalUrl + url.search };

  const stored = await loadSiteContent(visit.siteSpace.space, open);
  if (!stored) return showNoPage(open, paths);
  const content = await withSpecPages(stored, { ...open, platform });
  if (segments[0] === '~' && segments[1] === 'files') {
    const [, , id = '', hash = ''] = segments;
    const isSent = await sendFile(exchange, open, { asked: { id, hash }, content, platform });
    return isSent ? undefined : showNoPage(open, paths);
  }
  if (segments.join('/') === '~/print' && isPrinted(visit)) {
    const show = async () => showWholeSpace({ ...open, content, paths }, platform);
    return keep({ exact: addressOf({ ...open, content }) }, askerOf(open, { platform }), show);
  }
  if (segments[0] === '~' && segments[1] === 'card') {
    const [, , page = '', name = ''] = segments;
    const isSent = await sendCard(exchange, open, { asked: { page, name }, content, platform });
    return isSent ? undefined : showNoPage(open, paths);
  }
  return answerPage(segments.join('/'), { ...open, content, paths }, platform);
}

async function answerPage(
  path: string,
  place: Omit<PageVisit, 'found'>,
  platform: SitePlatform,
): Promise<Answer | Redirect> {
  const { content, paths, visit, url } = place;
  const base = paths.own;
  const at = (asked: string) => findPageAt(asked, content.pages.byPath);
  const page = at(path);
  if (!page) return (await answerOther(path, place, platform)) ?? leadOn(path, place, platform);
  // A group has the address of its first page.
  if (page.page.type === 'group')
    return leadIntoGroup(page.page.id, { content, base }) ?? showNoPage(place, paths);
  const own = pagePath(page.page, { base: writtenBase(visit), pages: content.pages });
  // The landing page has the address of its space, and no page has two: neither in caches nor elsewhere.
  if (own !== undefined && url.pathname !== own) return { status: 308, location: own + url.search };
  const show = async () => showPage({ ...place, found: page }, platform);
  const variables = variablesOf(content.revision, page.page);
  const address = { exact: addressOf(place), place: () => placeOf({ ...place, found: page }) };
  return keep(address, askerOf(place, { platform, variables }), show);
}

/** The Markdown of a page, or the feed of its updates. */
async function answerOther(
  path: string,
  place: Omit<PageVisit, 'found'>,
  platform: SitePlatform,
): Promise<Answer | undefined> {
  const before = (ending: string) =>
    path.endsWith(ending) ? findPageAt(path.slice(0, -ending.length), place.content.pages.byPath) : undefined;
  const read = before('.md');
  if (read?.page.type === 'document') return writeMarkdown(read.page, place, platform);
  const found = path === 'rss.xml' ? place.content.pages.byPath.get('') : before('/rss.xml');
  return found && writeFeed({ ...place, found }, platform);
}

/** The first page in a group. */
function leadIntoGroup(
  group: string,
  { content, base }: { content: SiteContent; base: string },
): Redirect | undefined {
  const inside = content.pages.byId
    .values()
    .find(({ page, ancestors }) => page.type === 'document' && ancestors.some(({ id }) => id === group));
  const location = inside && pagePath(inside.page, { base, pages: content.pages });
  return location === undefined ? undefined : { status: 307, location };
}

/** Follows a redirect of the site; without one there is no page. */
async function leadOn(
  path: string,
  { visit, visitor, content, paths }: Omit<PageVisit, 'found'>,
  { links }: SitePlatform,
): Promise<Answer | Redirect> {
  const { site, organization, tree, admitted, base, siteBase } = visit;
  const source = `/${[...base.slice(siteBase.length), ...visit.page].join('/')}`;
  const shareKey = admitted.key?.shareKey;
  const found = await findRedirect(
    source,
    siteContext({ links, organization, site, tree, visitor, shareKey }),
  );
  if (found) return { status: found.redirect.permanent ? 308 : 307, location: found.target };
  const moved = findPageAt(path, content.pages.byFilePath);
  const own = moved && pagePath(moved.page, { base: paths.own, pages: content.pages });
  return own === undefined ? showNoPage({ visit }, paths) : { status: 307, location: own };
}

/** Whether readers may print. */
function isPrinted({ site, siteSpace }: OpenVisit['visit']): boolean {
  return effectiveCustomization(site, siteSpace).pdf.enabled;
}

/**
 * Everything that an answer depends on for all visitors, also the versions of the specifications whose pages
 * its content has. The claims of visitors come in by the outcomes of conditions.
 */
function addressOf(asked: Asked): string {
  const { isAnybody, isPreview } = asked.visitor;
  const { state, changeRequest } = asked.visit;
  const parts = [state, changeRequest, ...wherePartsOf(asked), isAnybody, isPreview];
  return JSON.stringify([platformVersion, ...parts]);
}

/**
 * Everything of a page that a reader has to see at once: the page itself with the files and reusable contents
 * that may be in it, which pages are hidden from the reader, and the structure and look of the site; but not
 * what it shows of other pages. None in a preview, whose readers wait for their own changes.
 */
function placeOf({ found: { page }, ...asked }: Omit<PageVisit, 'paths'>): string | undefined {
  const { isAnybody, isPreview } = asked.visitor;
  if (isPreview) return undefined;
  const { revision, pages } = asked.content;
  const own = [{ ...page, pages: undefined }, revision.files, revision.reusableContents, namesOfShown(pages)];
  return JSON.stringify([platformVersion, asked.visit.structure, ...wherePartsOf(asked), isAnybody, own]);
}

type Asked = Pick<OpenVisit, 'visit' | 'visitor'> & { content?: SiteContent };

function wherePartsOf({ visit: { site, siteSpace, base, page }, content }: Asked): unknown[] {
  return [site._id, siteSpace._id, base, page, content?.specPages?.versions];
}
