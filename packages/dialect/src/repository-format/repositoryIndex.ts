import { fileForms, pageEndings, pageForms } from './linkForms.ts';
import { isInside, isMarkdown, resolvePath } from './paths.ts';
import type { RepositoryFiles, TreeEntry } from './types.ts';

/** Looks files up the way that links of the format mean them. */
export type RepositoryIndex = {
  entries: RepositoryFiles['entries'];
  /** The file at a path; a name that differs only in how its letters are composed is found too. */
  find(path: string): TreeEntry | undefined;
  /** The file that a link of SUMMARY.md or a redirect means: `x` is also `x/README.md` and `x.md`. */
  followPageLink(target: string, places: LinkPlaces): LinkResult;
  /** The file that a link or an image of a page means. */
  followFileLink(target: string, places: LinkPlaces): TreeEntry | undefined;
};

/** `folders` are tried in turn; only what lies in one of `roots` is found. */
export type LinkPlaces = { folders: readonly string[]; roots: readonly string[] };

export type LinkResult = { entry: TreeEntry; anchor?: string } | 'missing' | 'outside';

export function indexRepository(entries: RepositoryFiles['entries']): RepositoryIndex {
  let byComposedPath: Map<string, TreeEntry> | undefined;

  function find(path: string): TreeEntry | undefined {
    const exact = entries.get(path);
    if (exact || !/[^\u0020-\u007e]/.test(path)) return exact;
    // Repositories made on macOS hold decomposed names, while SUMMARY.md was typed composed.
    byComposedPath ??= new Map([...entries.values()].toReversed().map((entry) => [entry.path.normalize('NFC'), entry]));
    return byComposedPath.get(path.normalize('NFC'));
  }

  function findInside(folder: string, target: string, roots: readonly string[]): TreeEntry | 'outside' | undefined {
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
