import type { Embed } from '@bindery/contract';
import { decoded } from '../published/findSiteByUrl.ts';

/** A URL as a card shows it: where it leads, and its last segment in words. It is not fetched: what is behind it may be anything. */
export function describeUrl(text: string): Embed {
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
