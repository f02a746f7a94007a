import { percentDecoded } from '@bindery/dialect/links';

/** Finds pages and files by the URLs that they were read from. */
export type UrlMap<Value> = {
  /** Adds a value, unless the URL has one. */
  add(url: URL, value: Value): void;
  find(url: URL): Value | undefined;
};

/** Treats URLs of the same page as equal (`keyOf`), and finds a URL with an unknown query without it. */
export function createUrlMap<Value>(): UrlMap<Value> {
  const values = new Map<string, Value>();
  return {
    add(url, value) {
      for (const key of [keyOf(url, url.search), keyOf(url, '')])
        if (!values.has(key)) values.set(key, value);
    },
    find: (url) => values.get(keyOf(url, url.search)) ?? values.get(keyOf(url, '')),
  };
}

/** Ignores encoding, the composition of letters, a trailing slash and the name of an index page. */
function keyOf({ protocol, host, pathname }: URL, search: string): string {
  const path = (percentDecoded(pathname) ?? pathname).normalize('NFC').replace(/\/(?:index\.html?)?$/i, '');
  // Both schemes lead to the same site.
  return `${protocol === 'http:' ? 'https:' : protocol}//${host}${path}${search}`;
}
