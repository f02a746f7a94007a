import { WebUrl, type Embed } from '@bindery/contract';
import { decoded } from '../published/findSiteByUrl.ts';

const maxTitle = 200;

/**
 * A URL as a card shows it: where it leads, and its last segment in words. It is not fetched: what is behind
 * it may be anything. What is no URL of the web is shown as it is written.
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
