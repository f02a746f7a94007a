import { draftPage } from '@bindery/content/import';
import { JobError } from '@bindery/contract/jobErrors';
import { decodeText } from '../fetchResource.ts';
import type { SourceBytes, SourceContent } from './source.ts';

/** One Markdown file is one page. */
export function readMarkdownFile({ url, charset, bytes }: SourceBytes): SourceContent {
  const markdown = decodeText(bytes, charset);
  if (/^\s*<(?:!doctype|html)\b/i.test(markdown) || markdown.includes('\0')) {
    throw new JobError('bad_content', 'The downloaded file is not Markdown.', {
      action: 'Give the URL of the file itself, not of a page that shows it.',
    });
  }
  if (markdown.trim() === '') throw new JobError('bad_content', 'The file is empty.');
  return { drafts: [draftPage({ title: titleOfUrl(url), markdown, places: [url], sourceUrl: withoutQuery(url) })], files: [] };
}

/** The name of the file, for a page that names itself nowhere. */
export function titleOfUrl(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? url.hostname;
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // It is taken as it was written.
  }
  return name.replace(/\.[a-z0-9]{1,8}$/i, '') || 'Untitled';
}

/** What is shown of a URL: its query may be a key to what is behind it. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
