import { draftPage, pageFile, type DraftPage } from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { decodeText } from '../fetchResource.ts';
import type { Root } from '../html/htmlTree.ts';
import { parseHtml } from '../html/parseHtml.ts';
import { readHtml, type HtmlShape } from '../html/readHtml.ts';
import { titleOfUrl, withoutQuery } from './readMarkdownFile.ts';
import type { SourceBytes, SourceContent } from './source.ts';

/** Reads one web page as one page. */
export function readHtmlFile(bytes: SourceBytes, shape: HtmlShape = {}): SourceContent {
  const page = draftOfHtml(parseHtml(textOfHtml(bytes)), { url: bytes.url, shape });
  if (!page)
    throw new JobError('bad_content', 'The page has no text that could be imported.', {
      action: 'Pages rendered by scripts cannot be read; give the URL of a page with static content.',
    });
  return { drafts: [page], files: [] };
}

/** Makes a page draft, and destroys the tree in doing so. @returns undefined for a page without content */
export function draftOfHtml(
  root: Root,
  { url, shape = {} }: { url: URL; shape?: HtmlShape },
): DraftPage | undefined {
  const { title: found, description, body, base } = readHtml(root, shape);
  if (body === '') return undefined;
  const title = found ?? titleOfUrl(url);
  const place = (base === undefined ? undefined : URL.parse(base, url.href)) ?? url;
  const places: [URL, ...URL[]] = place === url ? [url] : [place, url];
  return draftPage({
    title,
    markdown: pageFile({ title, description, body }),
    places,
    sourceUrl: withoutQuery(url),
  });
}

/** Decodes HTML in the encoding given by the server, else by the page itself. */
export function textOfHtml({ bytes, charset }: Pick<SourceBytes, 'bytes' | 'charset'>): string {
  const inPage = /<meta[^<>]{0,200}?charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(
    bytes.toString('latin1', 0, 2_048),
  )?.[1];
  return decodeText(bytes, charset ?? inPage);
}
