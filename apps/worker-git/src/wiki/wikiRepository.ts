import { trimmedEnd } from '@bindery/contract/trimCharacters';
/**
 * Returns the repository of a wiki and the wiki's public URL: `https://github.com/owner/name/wiki` is stored
 * in `https://github.com/owner/name.wiki.git`.
 *
 * @param url  of the wiki, of one of its pages, of the repository that it belongs to, or of its own
 *   repository
 */
export function wikiRepository(url: URL): { repository: URL; wiki: URL } {
  const path = trimmedEnd(url.pathname, '/');
  const project = path
    .replace(/\.wiki\.git$/, '')
    .replace(/\/(?:-\/)?wikis?(?:\/.*)?$/s, '')
    .replace(/\.git$/, '');
  return { repository: new URL(`${project}.wiki.git`, url), wiki: new URL(`${project}/wiki`, url) };
}
