import { folderOf, join } from '@bindery/dialect/repository-format';
import { type ContentReference, writeStableTarget } from '@bindery/dialect/links';
import { fileOfPage } from './contentRoot.ts';
import {
  createResolver,
  includePath,
  openContext,
  type OpenedContext,
  type ReferenceContext,
} from './createResolver.ts';
import { assetPath } from './itemIndex.ts';

/**
 * Writes a reference as the target of a link.
 *
 * `stable` names ids, which survive moves. `relative` is the path from the page, as in repositories: a
 * missing object becomes `/broken/...`, and an object without a path gets the stable form.
 */
export function targetOf(
  ref: ContentReference,
  form: 'stable' | 'relative',
  context: ReferenceContext,
): string {
  const stable = writeStableTarget(ref);
  if (form === 'stable') return stable;
  const opened = openContext(context);
  const path = pathOf(ref, opened);
  if (path === missing) return `/broken${stable}`;
  if (path === undefined) return stable;
  const relative =
    relativePath(folderOf(opened.file), path) +
    (ref.kind === 'anchor' ? `#${encodeURIComponent(ref.anchor)}` : '');
  const use = ref.kind === 'file' || ref.kind === 'reusable-content' ? ref.kind : 'link';
  const leadsTo = createResolver(context)(relative, use);
  return leadsTo && writeStableTarget(leadsTo) === stable ? relative : stable;
}

const missing = Symbol('missing');

/**
 * The path of the repository that a reference stands for; undefined if it has none, `missing` if its object
 * is missing.
 */
function pathOf(
  ref: ContentReference,
  { tree, root, space, fileIndex, contentIndex }: OpenedContext,
): string | typeof missing | undefined {
  switch (ref.kind) {
    case 'page':
    case 'anchor': {
      if (ref.page === undefined || (ref.space !== undefined && ref.space !== space)) return undefined;
      const page = tree.page(ref.page)?.page;
      if (!page) return missing;
      return page.type === 'document' ? fileOfPage(page, root) : undefined;
    }
    case 'file': {
      const file = fileIndex.byId.get(ref.file);
      return file ? (file.git?.path ?? join(root, assetPath(file))) : missing;
    }
    case 'reusable-content': {
      if (ref.space !== undefined && ref.space !== space) return undefined;
      const content = contentIndex.byId.get(ref.reusableContent);
      return content ? (content.git?.path ?? join(root, includePath(content))) : missing;
    }
    case 'url':
    case 'space':
    case 'user':
    case 'collection':
    case 'openapi':
      return undefined;
  }
}

/** The relative path from a folder to a path, as a target. */
export function relativePath(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  const up = from.slice(shared).map(() => '..');
  return [...up, ...to.slice(shared)].map(encodedSegment).join('/');
}

/** Encodes only characters that would end or change a target, so that letters of any script stay readable. */
function encodedSegment(segment: string): string {
  const encoded = segment.replace(
    /[%#?\s<>()[\]"'\\`|]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return encoded;
}
