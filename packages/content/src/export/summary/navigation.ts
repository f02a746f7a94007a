import {
  pageFields,
  type PlannedPage,
  planFromFolders,
  targetOfUrl,
  contentLimits,
  type ComputedSource,
  type LinkTarget,
  type TreeEntry,
  collectWarnings,
} from '@bindery/dialect/repository-format';
import type { NavigationPage, NavigationTarget } from '../types.ts';

/**
 * Tells whether the importer's plan of a navigation, with the headings of its files, equals the wanted one.
 */
export function readsAs(planned: readonly PlannedPage[], wanted: readonly NavigationPage[]): boolean {
  return (
    planned.length === wanted.length &&
    planned.every((page, index) => isPage(page, wanted[index] as NavigationPage))
  );
}

/**
 * Tells whether a repository without SUMMARY.md would give the wanted navigation.
 *
 * @param entries  the regular files after the export
 * @param landing  path of the landing page's file, if any
 */
export function foldersGive(
  wanted: readonly NavigationPage[],
  {
    entries,
    root,
    landing,
  }: { entries: ReadonlyMap<string, TreeEntry>; root: string; landing: string | undefined },
): boolean {
  const { pageDepth: maxDepth, warningsPerCode } = contentLimits;
  return readsAs(
    planFromFolders(entries, { root, landing, maxDepth, warnings: collectWarnings(warningsPerCode) }),
    wanted,
  );
}

function isPage(planned: PlannedPage, wanted: NavigationPage): boolean {
  switch (planned.kind) {
    case 'group':
      return (
        wanted.kind === 'group' && planned.title === wanted.title && readsAs(planned.children, wanted.pages)
      );
    case 'empty':
      return (
        wanted.kind === 'empty' && planned.title === wanted.title && readsAs(planned.children, wanted.pages)
      );
    case 'file':
      return (
        wanted.kind === 'page' &&
        planned.entry.path === wanted.file &&
        hasTitles(planned, wanted) &&
        readsAs(planned.children, wanted.pages)
      );
    case 'link':
      return (
        wanted.kind === 'link' &&
        planned.title === wanted.title &&
        planned.linkTitle === wanted.linkTitle &&
        isTarget(planned.target, wanted.target)
      );
    case 'computed':
      return wanted.kind === 'computed' && isSameComputed(planned.computed, wanted.computed);
  }
}

/**
 * Tells whether an entry of a file gives its page the wanted titles: by its label, else by the heading of the
 * file, else by the file name.
 */
export function hasTitles(
  said: { label?: string; linkTitle?: string },
  wanted: Extract<NavigationPage, { kind: 'page' }>,
): boolean {
  const { file: path, title, hasHeading } = wanted;
  const read = pageFields({ path, oid: '', ...said }, { version: 0, h1: hasHeading ? title : undefined });
  return read.title === title && read.linkTitle === wanted.linkTitle;
}

function isTarget(planned: LinkTarget, wanted: NavigationTarget): boolean {
  switch (planned.kind) {
    case 'url':
      return wanted.kind === 'url' && planned.url === wanted.url;
    case 'space':
      return wanted.kind === 'url' && isSpace(planned, targetOfUrl(wanted.url));
    case 'git-page':
      return wanted.kind === 'file' && planned.path === wanted.path && planned.anchor === wanted.anchor;
    case 'git-file':
      return wanted.kind === 'file' && planned.path === wanted.path && wanted.anchor === undefined;
  }
}

/**
 * Tells whether two URLs have the same destination. A reference to a page of another space stores only the
 * space, so a URL without the page matches any page.
 */
export function isSameUrl(written: string, wanted: string): boolean {
  const target = targetOfUrl(written);
  return written === wanted || (target.kind === 'space' && isSpace(target, targetOfUrl(wanted)));
}

function isSpace(written: Extract<LinkTarget, { kind: 'space' }>, wanted: LinkTarget): boolean {
  return (
    wanted.kind === 'space' &&
    written.space === wanted.space &&
    (wanted.path === undefined || written.path === wanted.path)
  );
}

export function isSameComputed(one: ComputedSource, other: ComputedSource): boolean {
  if (one.type === 'builtin:openapi') {
    return (
      other.type === one.type &&
      one.dependencies.spec.ref.spec === other.dependencies.spec.ref.spec &&
      one.props.models === other.props.models &&
      one.props.downloadLink === other.props.downloadLink &&
      one.props.grouping === other.props.grouping
    );
  }
  return (
    other.type === one.type &&
    one.dependencies.translation.ref.translation === other.dependencies.translation.ref.translation
  );
}
