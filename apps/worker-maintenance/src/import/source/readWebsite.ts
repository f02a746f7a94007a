import { trimmedEnd } from '@bindery/contract/trimCharacters';
import type { DraftPage } from '@bindery/content/import';
import { createUrlMap } from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { fetchResource, resourceKinds } from '../fetchResource.ts';
import { attribute, eachElement, findElement } from '../html/elements.ts';
import { parseHtml } from '../html/parseHtml.ts';
import { draftOfHtml, textOfHtml } from './readHtmlFile.ts';
import { readRobots, type RobotRules } from './robots.ts';
import type { SourceBytes, SourceContent, SourceContext } from './source.ts';

const maxPages = 100;
const maxDepth = 3;
/** The total HTML of all pages, which is in memory until all are read. */
const maxTotalBytes = 60 * 1024 * 1024;
const atOnce = 2;
const robotName = 'bindery';

/**
 * Reads a web page and the pages that it links to: on the same origin, at or below its path, at most three
 * links away, at most a hundred in all.
 *
 * It is polite: two requests at once, no page twice, and pages closed by robots.txt are skipped (except the
 * first page, which the user named).
 */
export async function readWebsite(first: SourceBytes, context: SourceContext): Promise<SourceContent> {
  const { tell, skip, outbound } = context;
  const scope = scopeOf(first.url);
  const mayFollow = await readRules(first.url, context);
  const seen = createUrlMap<true>();
  const found: { page: DraftPage; depth: number; order: number }[] = [];
  let totalBytes = 0;
  let isFull = false;
  let blocked = 0;

  /** Reads a page and returns the links to follow. */
  const take = (resource: SourceBytes, rank: { depth: number; order: number }): URL[] => {
    const root = parseHtml(textOfHtml(resource));
    const canonical = canonicalOf(root, resource.url, scope);
    seen.add(resource.url, true);
    if (canonical && canonical.href !== resource.url.href) {
      if (found.some(({ page: { places } }) => places.some((place) => place.href === canonical.href)))
        return [];
      seen.add(canonical, true);
    }
    const links = linksOf(root, resource.url).filter((url) => isBelow(url, scope));
    const page = draftOfHtml(root, { url: resource.url });
    if (page)
      found.push({
        page: canonical ? { ...page, places: [...page.places, canonical] as [URL, ...URL[]] } : page,
        ...rank,
      });
    else skip('A page has no text that could be imported.', resource.url.pathname);
    return links;
  };

  totalBytes += first.bytes.length;
  let level = take(first, { depth: 0, order: 0 });
  for (let depth = 1; depth <= maxDepth && level.length > 0 && !isFull; depth += 1) {
    const queue: URL[] = [];
    for (const url of level) {
      if (seen.find(url)) continue;
      seen.add(url, true);
      if (mayFollow(`${url.pathname}${url.search}`)) queue.push(url);
      else blocked += 1;
    }
    const further: { order: number; links: URL[] }[] = [];
    let next = 0;
    const work = async () => {
      while (next < queue.length && !isFull) {
        const order = next++;
        const url = queue[order] as URL;
        if (found.length >= maxPages || totalBytes > maxTotalBytes) {
          isFull = true;
          return;
        }
        tell({
          kind: 'stage',
          stage: 'fetch',
          done: found.length,
          total: Math.min(maxPages, found.length + queue.length - order),
        });
        const resource = await fetchPage(url, context);
        if (!resource || !isBelow(resource.url, scope)) continue;
        // The target of a redirect may already have been read.
        if (resource.url.href !== url.href && seen.find(resource.url)) continue;
        totalBytes += resource.bytes.length;
        if (found.length < maxPages) further.push({ order, links: take(resource, { depth, order }) });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    level = further.sort((one, other) => one.order - other.order).flatMap(({ links }) => links);
  }
  if (isFull)
    tell({
      kind: 'warning',
      message: `The site has more than ${maxPages} pages, the limit of one import; the others were not imported.`,
    });
  if (blocked > 0)
    tell({
      kind: 'warning',
      message: `The site's robots.txt disallows ${blocked} of the links found; they were not followed.`,
    });
  if (found.length === 0) throw new JobError('bad_content', 'The page has no text that could be imported.');
  const inOrder = found
    .sort((one, other) => one.depth - other.depth || one.order - other.order)
    .map(({ page }) => page);
  return { drafts: nest(inOrder, scope), files: [] };

  async function fetchPage(url: URL, { skip: skipPage }: SourceContext): Promise<SourceBytes | undefined> {
    try {
      return await fetchResource(outbound, outbound.checkUrl(url.href), [resourceKinds.html]);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      // A link to a picture or a download is not a missing page.
      if (error.code !== 'bad_content') skipPage(`A page could not be read. ${error.message}`, url.pathname);
      return undefined;
    }
  }
}

type Scope = { origin: string; path: string };

/** Returns the path whose descendants belong to the page: its own, or the folder of a file. */
function scopeOf({ origin, pathname }: URL): Scope {
  const path = /\.[a-z0-9]{1,8}$/i.test(pathname)
    ? pathname.slice(0, pathname.lastIndexOf('/') + 1)
    : pathname;
  return { origin, path: trimmedEnd(path, '/') };
}

function isBelow({ origin, pathname }: URL, { origin: ours, path }: Scope): boolean {
  return origin === ours && (pathname === path || pathname.startsWith(`${path}/`));
}

async function readRules({ origin }: URL, { outbound }: SourceContext): Promise<RobotRules> {
  try {
    const { bytes } = await fetchResource(outbound, outbound.checkUrl(`${origin}/robots.txt`), [
      resourceKinds.robots,
    ]);
    return readRobots(bytes.toString('utf8'), robotName);
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    return () => true;
  }
}

function linksOf(root: Parameters<typeof eachElement>[0], base: URL): URL[] {
  const links: URL[] = [];
  for (const element of eachElement(root)) {
    const href = element.tagName === 'a' ? attribute(element, 'href') : undefined;
    if (href === undefined || href.startsWith('#')) continue;
    const url = URL.parse(href.trim(), base.href);
    if (!url || (attribute(element, 'rel') ?? '').split(' ').includes('nofollow')) continue;
    url.hash = '';
    for (const name of [...url.searchParams.keys()]) if (/^utm_/i.test(name)) url.searchParams.delete(name);
    if (
      !/\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|json|xml|pdf|zip|gz|tgz|dmg|exe|mp4|webm|mp3|woff2?)$/i.test(
        url.pathname,
      )
    )
      links.push(url);
  }
  return links;
}

function canonicalOf(root: Parameters<typeof eachElement>[0], url: URL, scope: Scope): URL | undefined {
  const link = findElement(
    root,
    (element) => element.tagName === 'link' && attribute(element, 'rel') === 'canonical',
  );
  const href = link && attribute(link, 'href');
  const canonical = href === undefined ? undefined : URL.parse(href, url.href);
  if (!canonical || !isBelow(canonical, scope)) return undefined;
  canonical.hash = '';
  return canonical;
}

/**
 * Nests a page below the page whose path is a prefix of its own; pages directly below the first page's path
 * become its siblings.
 */
function nest(pages: readonly DraftPage[], scope: Scope): DraftPage[] {
  const pathOf = (page: DraftPage) =>
    (page.places.at(-1) as URL).pathname.replace(/\/(?:index\.html?)?$/i, '').replace(/\.html?$/i, '');
  const byPath = new Map<string, DraftPage>();
  for (const page of pages.slice(1)) if (!byPath.has(pathOf(page))) byPath.set(pathOf(page), page);
  const top: DraftPage[] = [];
  for (const [index, page] of pages.entries()) {
    let above: DraftPage | undefined;
    for (
      let path = parentOf(pathOf(page));
      index > 0 && path.length > scope.path.length && !above;
      path = parentOf(path)
    )
      above = byPath.get(path);
    (above && above !== page ? above.pages : top).push(page);
  }
  return top;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
