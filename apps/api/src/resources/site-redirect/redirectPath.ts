import { trimmedEnd } from '@bindery/contract';
/** A path as redirects are compared by it, and whether it stands for all paths that begin with it. */
export type RedirectPath = { path: string; isWildcard: boolean };

/** `/docs/*` as the beginning `/docs/`, `/old/page` as itself. */
export function redirectPath(source: string): RedirectPath {
  const isWildcard = source.endsWith('*');
  return { path: canonicalPath(isWildcard ? source.slice(0, -1) : source), isWildcard };
}

/**
 * One way to write a path, so that `/caf%c3%a9`, `/caf%C3%A9` and `/café` are the same: each segment in
 * composed letters, percent-encoded. A `%2F` stays one: it is no border of a segment.
 */
export function canonicalPath(path: string): string {
  return path.split('/').map(canonicalSegment).join('/');
}

/**
 * The path that somebody asked for, without what does not name a page: query, fragment, slashes at its end.
 */
export function askedPath(source: string): string {
  const [path = ''] = source.split(/[?#]/);
  return canonicalPath(trimmedEnd(path, '/'));
}

function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment).normalize('NFC'));
  } catch {
    // No text in UTF-8, or half of a surrogate pair: it can only be compared as it is.
    return segment.replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  }
}

/** The beginnings of a path that a wildcard could stand for it, longest first. */
export function beginningsOf(path: string): string[] {
  return Array.from({ length: Math.max(0, path.length) }, (_, i) => path.slice(0, path.length - i));
}
