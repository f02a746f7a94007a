import type { IncomingMessage, ServerResponse } from 'node:http';
import { decoded, findPageAt, findRedirect, siteContext } from '@bindery/publishing';
import { platformVersion } from '@bindery/runtime';
import type { Answer, Redirect } from './answer/answer.ts';
import { keep } from './answer/keptAnswers.ts';
import { sendFile } from './answer/sendFile.ts';
import { findSpecsSeen } from './page/pageSpecs.ts';
import { showMessage } from './page/showMessage.ts';
import { showPage, type PageVisit } from './page/showPage.ts';
import { loadSiteContent, type SiteContent } from './page/siteContent.ts';
import { pagePath, sitePaths, type SitePaths } from './page/sitePaths.ts';
import { withSpecPages } from './page/specPages.ts';
import { answerSearch } from './search/answerSearch.ts';
import { showSearch } from './search/showSearch.ts';
import type { SitePlatform } from './sitePlatform.ts';
import { sendFullText } from './texts/sendFullText.ts';
import { writeLlms, writeRobots } from './texts/siteTexts.ts';
import { writeFeed } from './texts/writeFeed.ts';
import { writeMarkdown } from './texts/writeMarkdown.ts';
import { writeSitemap } from './texts/writeSitemap.ts';
import { siteWords } from './visit/language.ts';
import type { OpenVisit } from './visit/openVisit.ts';

/** A request in the middle of being answered. */
type Exchange = { request: IncomingMessage; response: ServerResponse };

const texts: Readonly<Record<string, (open: OpenVisit, paths: SitePaths) => Promise<Answer>>> = {
  'robots.txt': writeRobots,
  'sitemap.xml': writeSitemap,
  'llms.txt': writeLlms,
};

/** Answers a visit; undefined when the answer was already sent. */
export async function answerVisit(
  exchange: Exchange,
  open: OpenVisit,
  platform: SitePlatform,
): Promise<Answer | Redirect | undefined> {
  const { visit, url } = open;
  const paths = sitePaths(visit);
  const segments = visit.page.map(decoded);
  if (segments[0] === '~' && segments[1] === 'search') return showSearch(open, { paths });
  if (segments[0] === '~' && segments[1] === 'search.json') return answerSearch(open, { paths });
  const write = segments.length === 1 ? texts[segments[0] ?? ''] : undefined;
  if (write) return keep(keyOf(open), async () => ({ answer: await write(open, paths), isLasting: true }));
  if (segments.length === 1 && segments[0] === 'llms-full.txt') {
    await sendFullText(exchange, open, { paths, platform, key: keyOf(open) });
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
  return answerPage(segments.join('/'), { ...open, content, paths }, platform);
}

async function answerPage(
  path: string,
  place: Omit<PageVisit, 'found'>,
  platform: SitePlatform,
): Promise<Answer | Redirect> {
  const { content, paths } = place;
  const base = paths.own;
  const at = (asked: string) => findPageAt(asked, content.pages.byPath);
  const page = at(path);
  if (!page) return (await answerOther(path, place, platform)) ?? leadOn(path, place, platform);
  const own = pagePath(page.page, { base, pages: content.pages });
  // The landing page has the address of its space, and a group that of its first page.
  if (page.page.type === 'group')
    return leadIntoGroup(page.page.id, { content, base }) ?? showNoPage(place, paths);
  if (path !== '' && own === base) return { status: 308, location: base };
  const show = async () => showPage({ ...place, found: page }, platform);
  const versionsOf = async (names: readonly string[]) =>
    (await findSpecsSeen(names, { ...place, platform })).text;
  return keep(`${keyOf(place)} ${content.specPages?.versions ?? ''}`, show, versionsOf);
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

async function showNoPage({ visit }: Pick<OpenVisit, 'visit'>, paths: SitePaths): Promise<Answer> {
  const { noPage: title, noPageText: main } = siteWords({ visit });
  return showMessage({ visit }, { title, main, paths, status: 404 });
}

function keyOf({ visit, visitor, url }: Pick<OpenVisit, 'visit' | 'visitor' | 'url'>): string {
  const { site, state, siteSpace, base, page } = visit;
  const claims = visitor.isAnybody ? null : [visitor.claims, visitor.isPreview];
  return JSON.stringify([platformVersion, url.host, site._id, state, siteSpace._id, base, page, claims]);
}
