import { trimmedEnd } from '@bindery/contract/trimCharacters';
import { percentDecoded } from './percentDecoded.ts';
import type { ContentReference } from './contentReference.ts';

/** A target that names its object by id, or a page by its path; the same on every page of the space. */
export type StableTarget = {
  kind: 'page' | 'file' | 'space' | 'user' | 'collection' | 'reusable-content' | 'openapi';
  id: string;
  space?: string;
  anchor?: string;
};

const kinds = {
  pages: 'page',
  files: 'file',
  spaces: 'space',
  users: 'user',
  collections: 'collection',
  'reusable-contents': 'reusable-content',
  openapi: 'openapi',
} as const;

const shape =
  /^\/(broken\/)?(pages|files|spaces|users|collections|reusable-contents|openapi)\/([^?#]+)(?:\?[^#]*)?(?:#(.*))?$/;

/**
 * Reads `/pages/ID#anchor`, `/pages/a/path`, `/spaces/ID/pages/ID`, `/files/ID` and the like, also after
 * `/broken`.
 */
export function readStableTarget(target: string): (StableTarget & { isBroken: boolean }) | undefined {
  const [, broken, group = '', written = '', fragment] = shape.exec(target) ?? [];
  if (!group) return undefined;
  const id = trimmedEnd(percentDecoded(written) ?? written, '/');
  const common = {
    isBroken: broken !== undefined,
    anchor: fragment ? (percentDecoded(fragment) ?? fragment) : undefined,
  };
  const [space, inSpace, ...rest] = id.split('/');
  if (group === 'spaces' && (inSpace === 'pages' || inSpace === 'reusable-contents') && rest.length > 0) {
    return { ...common, kind: kinds[inSpace], id: rest.join('/'), space: space as string };
  }
  const kind = kinds[group as keyof typeof kinds];
  return kind !== 'page' && id.includes('/') ? undefined : { ...common, kind, id };
}

/**
 * Writes the target of a reference in the form that survives moves and renames. A file or page of the same
 * space needs no space id.
 */
export function writeStableTarget(ref: ContentReference): string {
  switch (ref.kind) {
    case 'url':
      return ref.url;
    case 'openapi':
      return ref.spec;
    case 'file':
      return `/files/${ref.file}`;
    case 'space':
      return `/spaces/${ref.space}`;
    case 'user':
      return `/users/${ref.user}`;
    case 'collection':
      return `/collections/${ref.collection}`;
    case 'reusable-content':
      return `${inSpace(ref.space)}/reusable-contents/${ref.reusableContent}`;
    case 'page':
      return `${inSpace(ref.space)}/pages/${ref.page}`;
    case 'anchor':
      return `${ref.page === undefined ? '' : `${inSpace(ref.space)}/pages/${ref.page}`}#${encodeURIComponent(ref.anchor)}`;
  }
}

function inSpace(space: string | undefined): string {
  return space === undefined ? '' : `/spaces/${space}`;
}
