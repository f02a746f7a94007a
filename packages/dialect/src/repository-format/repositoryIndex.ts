import { fileForms, pageEndings, pageForms } from './linkForms.ts';
import { isInside, isMarkdown, resolvePath } from './paths.ts';
import type { RepositoryFiles, TreeEntry } from './types.ts';

/** Looks up files by the rules of links in the format. */
export type RepositoryIndex = {
  entries: RepositoryFiles['entries'];
  /** Finds the file at a path, also by a name that differs only in the composition of letters. */
  find(path: string): TreeEntry | undefined;
  /** Finds the file of a link in SUMMARY.md or of a redirect: `x` is also `x/README.md` and `x.md`. */
  followPageLink(target: string, places: LinkPlaces): LinkResult;
  /** Finds the file of a link or an image on a page. */
  followFileLink(target: string, places: LinkPlaces): TreeEntry | undefined;
};

/** `folders` are tried in order; only files in one of `roots` are found. */
export type LinkPlaces = { folders: readonly string[]; roots: readonly string[] };

export type LinkResult = { entry: TreeEntry; anchor?: string } | 'missing' | 'outside';

export function indexRepository(entries: RepositoryFiles['entries']): RepositoryIndex {
  let byComposedPath: Map<string, TreeEntry> | undefined;

  function find(path: string): TreeEntry | undefined {
    const exact = entries.get(path);
    if (exact || !/[^\u0020-\u007e]/.test(path)) return exact;
    // Repositories made on macOS contain decomposed names, while SUMMARY.md was typed composed.
    byComposedPath ??= new Map(
      [...entries.values()].toReversed().map((entry) => [entry.path.normalize('NFC'), entry]),
    );
    return byComposedPath.get(path.normalize('NFC'));
  }

  function findInside(
    folder: string,
    target: string,
    roots: readonly string[],
  ): TreeEntry | 'outside' | undefined {
    const path = resolvePath(folder, target);
    if (path === undefined || !roots.some((root) => isInside(path, root))) return 'outside';
    return find(path);
  }

  return {
    entries,
    find,
    followPageLink(target, { folders, roots }) {
      let isOutside = false;
      for (const { path, anchor } of pageForms(target)) {
        for (const folder of folders) {
          for (const ending of pageEndings) {
            const found = findInside(folder, path + ending, roots);
            if (found === 'outside') isOutside = true;
            else if (found) return anchor ? { entry: found, anchor } : { entry: found };
          }
        }
      }
      return isOutside ? 'outside' : 'missing';
    },
    followFileLink(target, { folders, roots }) {
      for (const path of fileForms(target)) {
        for (const folder of folders) {
          const found = findInside(folder, path, roots);
          if (found && found !== 'outside') return isMarkdown(found.path) ? undefined : found;
        }
      }
      return undefined;
    },
  };
}
