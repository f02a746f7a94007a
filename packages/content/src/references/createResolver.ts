import { leadsOutside } from '@bindery/contract/linkTarget';
import {
  fileForms,
  foldersOfTarget,
  pageEndings,
  pageForms,
  resolvedPaths,
  folderOf,
  slugOfTitle,
} from '@bindery/dialect/repository-format';
import { unescaped } from '@bindery/dialect/syntax';
import {
  percentDecoded,
  type ContentReference,
  type LinkUse,
  type Resolve,
  readStableTarget,
} from '@bindery/dialect/links';
import type { FileItem, PageItem, ReusableContentItem } from '../store/items.ts';
import type { LocatedPage, PageLookup } from '../tree/pageLookup.ts';
import { contentRootOf, fileOfPage, pathOfFile } from './contentRoot.ts';
import { assetPath, indexItems, special, type ItemIndex } from './itemIndex.ts';
import { collectionOfUrl, targetOfUrl } from './spaceUrl.ts';

/**
 * The parse context for references in one source in one state of a space. The lists are indexed once, so a
 * changed list must be a new one.
 */
export type ReferenceContext = {
  organization: string;
  space: string;
  tree: PageLookup;
  files: readonly FileItem[];
  reusableContents: readonly ReusableContentItem[];
  /**
   * The source of the target, where relative targets start; if both are absent, they start at the content
   * root.
   */
  from: { page?: PageItem | undefined; reusableContent?: ReusableContentItem | undefined };
  /**
   * Trees of other spaces of the organization that the caller may see. Targets in any other space stay URLs.
   */
  spaces?: ReadonlyMap<string, PageLookup>;
  /** Origin of the application. Its URLs of spaces, pages and collections are references. */
  appUrl?: string;
  /** The content root, if it is known without the pages. */
  root?: string;
};

/** A parse context with cached look-ups. */
export type OpenedContext = ReferenceContext & {
  root: string;
  file: string;
  fileIndex: ItemIndex<FileItem>;
  contentIndex: ItemIndex<ReusableContentItem>;
};

export function openContext(context: ReferenceContext): OpenedContext {
  const { tree, files, reusableContents, from } = context;
  const root = context.root ?? contentRootOf(tree);
  return {
    ...context,
    root,
    file: from.reusableContent
      ? fileOfReusableContent(from.reusableContent, root)
      : fileOfPage(from.page, root),
    fileIndex: indexItems(files, { root, nameIn: assetPath }),
    contentIndex: indexItems(reusableContents, { root, nameIn: includePath }),
  };
}

/**
 * Creates the resolver for the targets of one source in one state of a space.
 *
 * Paths follow the rules of an import (repository-format/linkForms.ts); `/pages/...`, `/files/...` and
 * similar forms are the platform's own (stableTarget.ts). A target with an unknown id is a dangling
 * reference, which is shown as broken.
 */
export function createResolver(context: ReferenceContext): Resolve {
  const opened = openContext(context);
  return (target, use) => {
    const written = target.trim();
    // Some editors escape inside attributes, which no reader unescapes.
    const plain = /[\\&]/.test(written) ? unescaped(written) : written;
    const found =
      resolve(opened, written, use) ?? (plain === written ? undefined : resolve(opened, plain, use));
    return found && isFor(use, found) ? found : undefined;
  };
}

function resolve(context: OpenedContext, target: string, use: LinkUse): ContentReference | undefined {
  if (target === '' || target === 'broken-reference') return undefined;
  if (use === 'openapi' && /^[\p{L}\p{N}._-]+$/u.test(target)) return { kind: 'openapi', spec: target };
  if (target.startsWith('#')) return onPage(context.from.page?.id, target.slice(1));
  if (leadsOutside(target)) return ofUrl(context, target);
  return ofStable(context, target) ?? ofPath(context, target, use) ?? danglingOf(target);
}

/** Pictures need files or URLs, and includes need reusable contents. */
function isFor(use: LinkUse, { kind }: ContentReference): boolean {
  if (use === 'image' || use === 'file') return kind === 'file' || kind === 'url';
  if (use === 'reusable-content') return kind === 'reusable-content';
  return use !== 'openapi' || kind === 'openapi' || kind === 'file' || kind === 'url';
}

function ofUrl(context: OpenedContext, url: string): ContentReference {
  const { space: own, spaces, appUrl } = context;
  const place = targetOfUrl(url, appUrl);
  const tree = place && (place.space === own ? context.tree : spaces?.get(place.space));
  if (place && tree) {
    const { space, path, page: id, anchor } = place;
    if (path === '' && !anchor) return { kind: 'space', space };
    const page = id === undefined ? pageAt(tree, path) : tree.page(id);
    if (page) return inSpace(space === own ? undefined : space, page, anchor);
  }
  const collection = collectionOfUrl(url, appUrl);
  return collection === undefined ? { kind: 'url', url } : { kind: 'collection', collection };
}

function ofStable(
  { tree, fileIndex, contentIndex, spaces, space: own }: OpenedContext,
  target: string,
): ContentReference | undefined {
  const stable = readStableTarget(target);
  if (!stable) return undefined;
  const { kind, id, anchor } = stable;
  const space = stable.space === own ? undefined : stable.space;
  switch (kind) {
    case 'page': {
      const pages = space === undefined ? tree : spaces?.get(space);
      const page = pages?.page(id) ?? (pages && !stable.isBroken ? pageAt(pages, id) : undefined);
      return page && inSpace(space, page, anchor);
    }
    case 'file':
      return fileIndex.byId.has(id) ? { kind: 'file', file: id } : undefined;
    case 'reusable-content':
      return space === undefined && contentIndex.byId.has(id)
        ? { kind: 'reusable-content', reusableContent: id }
        : undefined;
    case 'space':
      return { kind: 'space', space: id };
    case 'user':
      return { kind: 'user', user: id };
    case 'collection':
      return { kind: 'collection', collection: id };
    case 'openapi':
      return { kind: 'openapi', spec: id };
  }
}

/**
 * Resolves an unknown id, as a last resort, because repositories may have a folder named `pages` or `files`.
 */
function danglingOf(target: string): ContentReference | undefined {
  const stable = readStableTarget(target);
  if (!stable || (!stable.isBroken && !/^[A-Za-z0-9]{20}$/.test(stable.id))) return undefined;
  const { kind, id, space, anchor } = stable;
  const inSpaceOf = space === undefined ? {} : { space };
  if (kind === 'file') return { kind, file: id };
  if (kind === 'reusable-content') return { kind, reusableContent: id, ...inSpaceOf };
  if (kind !== 'page') return undefined;
  return anchor
    ? { kind: 'anchor', anchor, page: id, ...inSpaceOf }
    : { kind: 'page', page: id, ...inSpaceOf };
}

function ofPath(context: OpenedContext, target: string, use: LinkUse): ContentReference | undefined {
  const { fileIndex, contentIndex, file, root } = context;
  const folder = folderOf(file);
  const isSpecial = target.startsWith(`/${special}`);
  const folders = [
    ...foldersOfTarget(target, { root, folder }),
    // The special folder may be above the content root.
    ...(isSpecial ? [...fileIndex.specialRoots, ...contentIndex.specialRoots] : []),
  ];
  const isPicture = use === 'image' || use === 'file';
  return (
    (isPicture ? undefined : ofPagePath(context, target, folders)) ?? ofFilePath(context, target, folders)
  );
}

function ofPagePath(
  context: OpenedContext,
  target: string,
  folders: readonly string[],
): ContentReference | undefined {
  const { contentIndex, fileIndex } = context;
  const [beforeQuery] = /^[^?#]*/.exec(target) ?? [''];
  const withoutQuery =
    target[beforeQuery.length] === '?'
      ? beforeQuery + target.slice(beforeQuery.length).replace(/^\?[^#]*/, '')
      : undefined;
  for (const written of withoutQuery ? [target, withoutQuery] : [target]) {
    for (const { path, anchor } of pageForms(written)) {
      for (const folder of folders) {
        for (const ending of pageEndings) {
          for (const at of resolvedPaths(folder, path + ending)) {
            const page = pageOfFile(context, at);
            if (page) return inSpace(undefined, page, anchor);
            const file = fileIndex.byPath.get(at);
            if (file) return { kind: 'file', file: file.id };
            const content = contentIndex.byPath.get(at);
            if (content) return { kind: 'reusable-content', reusableContent: content.id };
          }
        }
      }
    }
  }
  return undefined;
}

function ofFilePath(
  { fileIndex }: OpenedContext,
  target: string,
  folders: readonly string[],
): ContentReference | undefined {
  for (const path of fileForms(target)) {
    for (const folder of folders) {
      for (const at of resolvedPaths(folder, path)) {
        const file = fileIndex.byPath.get(at);
        if (file) return { kind: 'file', file: file.id };
      }
    }
  }
  return undefined;
}

/** Finds the page of a file; the path of a page without a file is the file's path without extension. */
function pageOfFile({ tree, root }: OpenedContext, file: string): LocatedPage | undefined {
  const found = tree.pageOfFile(file);
  if (found) return found;
  const path = pathOfFile(file, root);
  const page = path === undefined ? undefined : (tree.pageAtPath(path) ?? tree.pageAtFilePath(path));
  return page?.page.type === 'document' && !page.page.git ? page : undefined;
}

function pageAt(tree: PageLookup, path: string): LocatedPage | undefined {
  // Paths follow file names, which some systems write in decomposed letters.
  const forms = new Set([path, path.normalize('NFC'), path.normalize('NFD')]);
  for (const form of forms) {
    const page = tree.pageAtPath(form);
    if (page) return page;
  }
  for (const form of forms) {
    const page = tree.pageAtFilePath(form);
    if (page) return page;
  }
  return undefined;
}

function inSpace(
  space: string | undefined,
  { page }: LocatedPage,
  anchor: string | undefined,
): ContentReference {
  const ofSpace = space === undefined ? {} : { space };
  if (!anchor) return { kind: 'page', page: page.id, ...ofSpace };
  return { kind: 'anchor', anchor: percentDecoded(anchor) ?? anchor, page: page.id, ...ofSpace };
}

function onPage(page: string | undefined, anchor: string): ContentReference | undefined {
  if (anchor !== '') return { kind: 'anchor', anchor: percentDecoded(anchor) ?? anchor };
  return page === undefined ? undefined : { kind: 'page', page };
}

function fileOfReusableContent(content: ReusableContentItem, root: string): string {
  return content.git?.path ?? (root === '' ? includePath(content) : `${root}/${includePath(content)}`);
}

export function includePath({ title }: ReusableContentItem): string {
  return `${special}includes/${slugOfTitle(title, 'content')}.md`;
}
