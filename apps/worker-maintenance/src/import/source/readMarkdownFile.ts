import { draftPage } from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { decodeText } from '../fetchResource.ts';
import type { SourceBytes, SourceContent } from './source.ts';

/** Reads one Markdown file as one page. */
export function readMarkdownFile({ url, charset, bytes }: SourceBytes): SourceContent {
  const markdown = decodeText(bytes, charset);
  if (/^\s*<(?:!doctype|html)\b/i.test(markdown) || markdown.includes('\0')) {
    throw new JobError('bad_content', 'The downloaded file is not Markdown.', {
      action: 'Give the URL of the file itself, not of a page that shows it.',
    });
  }
  if (markdown.trim() === '') throw new JobError('bad_content', 'The file is empty.');
  return {
    drafts: [draftPage({ title: titleOfUrl(url), markdown, places: [url], sourceUrl: withoutQuery(url) })],
    files: [],
  };
}

/** Returns the name of the file, for a page without a title. */
export function titleOfUrl(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // Invalid percent-encoding is kept.
  }
  return name.replace(/\.[a-z0-9]{1,8}$/i, '') || 'Untitled';
}

/** Removes the query of a URL before it is shown, because it may contain an access key. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
