import { WebUrl, type Embed } from '@bindery/contract';
import { decoded } from '@bindery/publishing';

const maxTitle = 200;

/**
 * Describes a URL for a card: its site, and its last segment in words. Does not fetch the URL, because its
 * content is not trusted. A text that is not a web URL is shown unchanged.
 */
export function describeUrl(text: string): Embed {
  if (!WebUrl.safeParse(text).success)
    return { title: text.slice(0, maxTitle).toWellFormed(), site: '', type: 'link' };
  const { hostname, pathname } = new URL(text);
  const last = pathname.split('/').findLast((segment) => segment !== '');
  const words =
    last === undefined
      ? ''
      : decoded(last)
          .replace(/\.\w{1,5}$/, '')
          .replaceAll(/[-_+\s]+/g, ' ')
          .trim();
  return { title: words === '' ? hostname : words, site: hostname, type: 'link' };
}
