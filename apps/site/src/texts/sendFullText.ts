import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheControl, isKnown } from '../answer/sendAnswer.ts';
import { loadSiteContents, type SiteContents, type SitePlace } from '../page/siteContents.ts';
import { below } from '../page/sitePaths.ts';
import type { OpenVisit } from '../visit/openVisit.ts';
import { originOf, sitePages } from './sitePages.ts';
import { oneLine } from './siteTexts.ts';
import { markdownFor } from './writeMarkdown.ts';

const maxBytes = 20_000_000;
const maxPages = 2_000;
const maxMs = 120_000;
/** Others are asked to come back: each reads a whole site. */
const maxAtOnce = 8;
const retrySeconds = 30;

let underWay = 0;

type Exchange = { request: IncomingMessage; response: ServerResponse };
type Place = SitePlace & { key: string };

/**
 * Sends `llms-full.txt`: the Markdown of all pages that the visitor sees, page by page. Its last line says
 * whether it is all: the text ends after 2,000 pages, and before a page that would make it longer than 20 MB.
 *
 * @param key  equal for equal texts, except for specifications; clients that have the text get 304
 */
export async function sendFullText(
  { request, response }: Exchange,
  open: OpenVisit,
  { paths, platform, key }: Place,
): Promise<void> {
  const contents = await loadSiteContents(open, { paths, platform });
  const state = `${key} ${JSON.stringify([...contents.specs])}`;
  const etag = `"${hash('sha256', state, 'base64url').slice(0, 22)}"`;
  const hasIt = isKnown(request.headers['if-none-match'], etag);
  if (!hasIt && underWay >= maxAtOnce) {
    response.writeHead(503, { 'Retry-After': retrySeconds, 'Content-Length': 0 }).end();
    return;
  }
  response.setHeader('ETag', `W/${etag}`);
  response.setHeader('Cache-Control', cacheControl[open.visitor.isAnybody ? 'everybody' : 'one visitor']);
  response.writeHead(hasIt ? 304 : 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  if (hasIt || request.method === 'HEAD') {
    response.end();
    return;
  }
  underWay += 1;
  try {
    const text = Readable.from(fullText(open, { paths, platform, contents }));
    await pipeline(text, response, { signal: AbortSignal.timeout(maxMs) });
  } catch (error) {
    // The connection is closed then, so that nobody takes the text for the whole.
    platform.log.info(
      { err: error, site: open.visit.site._id },
      'a text of all pages was not sent to its end',
    );
  } finally {
    underWay -= 1;
  }
}

async function* fullText(
  open: OpenVisit,
  { paths, platform, contents }: SitePlace & { contents: SiteContents },
): AsyncGenerator<string> {
  yield `# ${oneLine(open.visit.site.title)}\n`;
  let bytes = 0;
  let count = 0;
  for (const { page, content, url } of sitePages(open, contents)) {
    const text = await markdownFor(page, { ...open, content }, platform);
    const part = `\n---\n\nSource: ${url}\n\n${text ?? `# ${page.title}\n\nThis page takes too long to read.`}\n`;
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes || count >= maxPages) {
      const list = originOf(open) + below(paths.site, 'llms.txt');
      yield `\n---\n\nThe text ends here, after ${count} pages. All pages are listed in ${list}.\n`;
      return;
    }
    count += 1;
    yield part;
  }
  yield `\n---\n\nThese are all ${count} pages.\n`;
}
