import { trimmedEnd } from '@bindery/contract';
/** The canonical path of a redirect, and whether it is a wildcard for all paths that begin with it. */
export type RedirectPath = { path: string; isWildcard: boolean };

/** Parses a source: `/docs/*` is a wildcard for the prefix `/docs/`, `/old/page` an exact path. */
export function redirectPath(source: string): RedirectPath {
  const isWildcard = source.endsWith('*');
  return { path: canonicalPath(isWildcard ? source.slice(0, -1) : source), isWildcard };
}

/**
 * Canonical form of a path, so that `/caf%c3%a9`, `/caf%C3%A9` and `/café` are equal: each segment in NFC,
 * percent-encoded. `%2F` stays encoded, because it does not separate segments.
 */
export function canonicalPath(path: string): string {
  return path.split('/').map(canonicalSegment).join('/');
}

/**
 * The canonical path of a request, without parts that do not name a page: query, fragment, trailing slashes.
 */
export function askedPath(source: string): string {
  const [path = ''] = source.split(/[?#]/);
  return canonicalPath(trimmedEnd(path, '/'));
}

function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment).normalize('NFC'));
  } catch {
    // Not valid UTF-8, or half of a surrogate pair: compare it as it is.
    return segment.replaceAll(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
  }
}

/** The prefixes of a path that a wildcard could have, longest first. */
export function beginningsOf(path: string): string[] {
  return Array.from({ length: Math.max(0, path.length) }, (_, i) => path.slice(0, path.length - i));
}
