import { leadsOutside } from '@bindery/contract/linkTarget';
import { join } from '../paths.ts';
import type { RepositoryIndex } from '../repositoryIndex.ts';
import type { Redirect } from '../types.ts';
import { quoted, type Warnings } from '../../contentWarnings.ts';

/** Finds the target page of each redirect. A redirect without one is kept as written, and reported. */
export function resolveRedirects(
  redirects: readonly { from: string; to: string }[],
  {
    root,
    pageFiles,
    repository,
    warnings,
    path,
  }: {
    root: string;
    pageFiles: ReadonlySet<string>;
    repository: RepositoryIndex;
    warnings: Warnings;
    path: string;
  },
): Redirect[] {
  return redirects.map(({ from, to }): Redirect => {
    if (leadsOutside(to)) return { from, to };
    const found = repository.followPageLink(to, { folders: [join(root, '')], roots: [root] });
    if (typeof found === 'object' && pageFiles.has(found.entry.path)) {
      return {
        from,
        to,
        page: { path: found.entry.path, anchor: found.anchor },
      };
    }
    warnings.add(
      'config_redirect',
      `The redirect of ${quoted(from)} leads to ${quoted(to)}, which is not a page.`,
      path,
    );
    return { from, to };
  });
}
