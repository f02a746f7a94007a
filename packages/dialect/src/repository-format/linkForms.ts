import { percentDecoded } from '../links/percentDecoded.ts';
import { resolvePath } from './paths.ts';

/**
 * The endings to try for a link to a page, in this order: `x` is `x`, the README of the folder `x`, and
 * `x.md`.
 */
export const pageEndings = ['', '/README.md', '.md'] as const;

/**
 * Lists the readings of a link to a page: percent-decoded first, then as written; at last with the `#` as
 * part of the name.
 */
export function pageForms(target: string): { path: string; anchor?: string }[] {
  const hash = target.indexOf('#');
  const written = hash < 0 ? target : target.slice(0, hash);
  const path = written.endsWith('/') ? written.slice(0, -1) : written;
  const anchor = hash < 0 ? '' : target.slice(hash + 1);
  const forms = distinct([percentDecoded(path), path]).map((form) => ({ path: form, anchor }));
  return hash < 0
    ? forms
    : [...forms, ...distinct([percentDecoded(target), target]).map((form) => ({ path: form }))];
}

/**
 * Lists the readings of a link to a file: without query and anchor, percent-decoded first; then with them as
 * part of the name.
 */
export function fileForms(target: string): string[] {
  const path = target.split('#', 1)[0] ?? '';
  const bare = path.split('?', 1)[0] ?? '';
  return distinct([percentDecoded(bare), bare, percentDecoded(path), path, percentDecoded(target), target]);
}

/** Lists the folders to which a target on a page may be relative: a leading slash means the content root. */
export function foldersOfTarget(
  target: string,
  { root, folder }: { root: string; folder: string },
): string[] {
  return target.startsWith('/') ? [root, folder] : [folder];
}

/**
 * Resolves a path, also with its name in the other composition: repositories made on macOS contain decomposed
 * names, while links were typed composed.
 */
export function resolvedPaths(folder: string, path: string): string[] {
  const resolved = resolvePath(folder, path);
  if (resolved === undefined) return [];
  return /[^\u0020-\u007e]/.test(resolved)
    ? distinct([resolved, resolved.normalize('NFC'), resolved.normalize('NFD')])
    : [resolved];
}

function distinct(forms: (string | undefined)[]): string[] {
  return [...new Set(forms)].filter((form) => form !== undefined && form !== '') as string[];
}
