import { leadsOutside } from '@bindery/contract/linkTarget';
import { pageFields, isMarkdown, contentLimits, type TreeEntry } from '@bindery/dialect/repository-format';
import { targetReader } from './navigationTargets.ts';
import type { NavigationPage, NavigationTarget } from '../types.ts';

type PageOfFile = Extract<NavigationPage, { kind: 'page' }>;

/**
 * Reduces the navigation to a form that SUMMARY.md can express, nearly always the same one. Substitutes:
 * white space around titles is dropped; short titles equal to the title are dropped; an empty title becomes
 * "Untitled"; a group below the top becomes an empty page; the title of a computed page becomes the name of
 * its source; a page deeper than the importer reads goes beside the deepest; a link to a page before that
 * page, or to a Markdown file that is not a page, leads to its top (`#top`: a plain link would make it the
 * page); a URL that names a file becomes a link to that file.
 *
 * @param entries  the regular files after the export
 */
export function settleNavigation(
  wanted: readonly NavigationPage[],
  { root, summary, entries }: { root: string; summary: string; entries: ReadonlyMap<string, TreeEntry> },
): NavigationPage[] {
  const targets = targetReader(entries, { root, summary });
  const files = new Set<string>();
  const listed = new Set<string>();
  for (const { file } of pagesOfFiles(wanted)) files.add(file);
  return wanted.map((page) =>
    page.kind === 'group'
      ? { kind: 'group', title: titleOf(page.title), pages: settleAll(page.pages, 1) }
      : (settle(page, 1)[0] as NavigationPage),
  );

  function settleAll(pages: readonly NavigationPage[], depth: number): NavigationPage[] {
    return pages.flatMap((page) => settle(page, depth));
  }

  function settle(page: NavigationPage, depth: number): NavigationPage[] {
    switch (page.kind) {
      case 'link':
        return [
          {
            kind: 'link',
            title: titleOf(page.title),
            ...shortTitle(page),
            target: settleTarget(page.target),
          },
        ];
      case 'computed':
        return [{ ...page, title: sourceOf(page.computed) }];
      case 'group':
      case 'empty':
        return withPages({ kind: 'empty', title: titleOf(page.title), pages: [] }, page.pages, depth);
      case 'page':
        listed.add(page.file);
        return withPages(settlePage(page), page.pages, depth);
    }
  }

  function withPages(
    page: Extract<NavigationPage, { pages: unknown }>,
    pages: readonly NavigationPage[],
    depth: number,
  ): NavigationPage[] {
    const below = settleAll(pages, depth + 1);
    return depth < contentLimits.pageDepth ? [{ ...page, pages: below }] : [page, ...below];
  }

  function settleTarget(target: NavigationTarget): NavigationTarget {
    if (target.kind === 'url') {
      const url = target.url.replaceAll('\0', '\ufffd').toWellFormed() || '#';
      const found = leadsOutside(url) ? undefined : targets.read(url);
      return found?.kind === 'file' ? settleFile(found, url) : { kind: 'url', url };
    }
    return settleFile(target, targets.write(target));
  }

  function settleFile(
    target: Extract<NavigationTarget, { kind: 'file' }>,
    written: string,
  ): NavigationTarget {
    const { path, anchor } = target;
    if (!targets.has(path)) return { kind: 'url', url: written };
    if (!isMarkdown(path)) return { kind: 'file', path };
    if (!files.has(path)) return { kind: 'url', url: anchor ? written : `${written}#top` };
    if (anchor) return { kind: 'file', path, anchor };
    return listed.has(path) ? { kind: 'file', path } : { kind: 'file', path, anchor: 'top' };
  }
}

function settlePage({ linkTitle, ...page }: PageOfFile): PageOfFile {
  const title = titleOf(page.title);
  const short = shortTitle(linkTitle === undefined ? {} : { linkTitle });
  const read = pageFields({ path: page.file, oid: '', ...short }, { version: 0, h1: title });
  return { ...page, title, linkTitle: read.linkTitle, pages: [] };
}

function shortTitle({ linkTitle }: { linkTitle?: string }): { linkTitle?: string } {
  const short = linkTitle === undefined ? '' : plain(linkTitle);
  return short ? { linkTitle: short } : {};
}

function titleOf(title: string): string {
  return plain(title) || 'Untitled';
}

/** Replaces characters that no file can contain, and trims space that is not read as part of a label. */
function plain(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed().trim();
}

function sourceOf(computed: Extract<NavigationPage, { kind: 'computed' }>['computed']): string {
  return computed.type === 'builtin:openapi'
    ? computed.dependencies.spec.ref.spec
    : computed.dependencies.translation.ref.translation;
}

function* pagesOfFiles(pages: readonly NavigationPage[]): Iterable<PageOfFile> {
  for (const page of pages) {
    if (page.kind === 'page') yield page;
    if ('pages' in page) yield* pagesOfFiles(page.pages);
  }
}
