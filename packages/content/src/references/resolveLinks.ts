import { leadsOutside } from '@bindery/contract';
import { folderOf, resolvePath } from '@bindery/dialect/repository-format';
import {
  percentDecoded,
  type ContentReference,
  type LinkUse,
  readStableTarget,
  writeStableTarget,
} from '@bindery/dialect/links';
import type { SpecPart } from '@bindery/dialect/openapi';
import { createResolver, openContext, type ReferenceContext } from './createResolver.ts';
import type { DocumentFacts } from './documentFacts.ts';
import { ownReferences, type LinkSource } from './linkSources.ts';
import { spaceNamedIn } from './spaceUrl.ts';

/** The target of a link, the same for every viewer. `missing` is a target without a meaning here. */
export type LinkTarget =
  | { kind: 'page'; space: string; page: string; anchor?: string }
  | { kind: 'file' | 'reusable-content'; space: string; id: string }
  | { kind: 'space' | 'user' | 'collection'; id: string }
  /** `part`: the operation, webhook or schema that a block shows. */
  | { kind: 'openapi'; id: string; part?: SpecPart }
  | { kind: 'url'; url: string }
  | { kind: 'missing'; path: string };

export type Link = {
  target: LinkTarget;
  /** The target as written, or as it would be written; the only thing to show of a missing target. */
  written: string;
  use: LinkUse;
  /** Whether the page would be incomplete without the target. */
  dependsOn: boolean;
  /** Keys of the blocks; empty for a link outside of the document. */
  blocks: readonly string[];
  /** Chains of conditions: a visitor who meets any one reads the link; absent when every visitor reads it. */
  shownOn?: readonly (readonly string[])[];
  /** Another space that the link may lead into; it does for callers who may see that space. */
  crossing?: string;
};

/**
 * Resolves the links of one source in one state of its space. Links into other spaces are resolved only if
 * the context has their trees.
 */
export function resolveLinks(
  source: LinkSource,
  facts: Pick<DocumentFacts, 'links' | 'chains'> | undefined,
  context: ReferenceContext,
): Link[] {
  const resolve = createResolver(context);
  const links = ownReferences(source).map(({ ref, dependsOn }): Link => {
    const crossing =
      'space' in ref && ref.space !== undefined && ref.space !== context.space ? ref.space : undefined;
    const written = writeStableTarget(ref);
    // An import keeps a target without a meaning as the URL of a link page.
    const target =
      ref.kind === 'url' && !leadsOutside(ref.url)
        ? ({ kind: 'missing', path: ref.url } as const)
        : targetOfReference(ref, source, context);
    return {
      target,
      written,
      use: dependsOn && ref.kind === 'file' ? 'image' : 'link',
      dependsOn,
      blocks: [],
      crossing,
    };
  });
  for (const { target: written, use: given, part, blocks, shownOn: on } of facts?.links ?? []) {
    const use = given as LinkUse;
    const ref = resolve(written, use);
    const named = spaceNamedIn(written);
    const crossing = named === context.space ? undefined : named;
    const whole = ref
      ? targetOfReference(ref, source, context)
      : ({ kind: 'missing', path: missingPath(written, context) } as const);
    const target = part && whole.kind === 'openapi' ? { ...whole, part } : whole;
    const shownOn = on?.flatMap((chain) => (facts?.chains[chain] ? [facts.chains[chain]] : []));
    links.push({
      target,
      written,
      use,
      dependsOn: isNeeded(use),
      blocks,
      shownOn,
      crossing,
    });
  }
  return links;
}

/** Returns the identity of a target. */
export function targetKey(target: LinkTarget): string {
  switch (target.kind) {
    case 'page':
      return `page ${target.space} ${target.page}${target.anchor === undefined ? '' : `#${target.anchor}`}`;
    case 'file':
    case 'reusable-content':
      return `${target.kind} ${target.space} ${target.id}`;
    case 'url':
      return `url ${target.url}`;
    case 'missing':
      return `missing ${target.path}`;
    case 'user':
    case 'space':
    case 'collection':
      return `${target.kind} ${target.id}`;
    case 'openapi':
      return ['openapi', target.id, ...(target.part ?? [])].join(' ');
  }
}

export function targetOfReference(
  ref: ContentReference,
  source: LinkSource,
  { space: own }: ReferenceContext,
): LinkTarget {
  switch (ref.kind) {
    case 'url':
      return ref;
    case 'page':
      return { kind: 'page', space: ref.space ?? own, page: ref.page };
    case 'anchor': {
      const page = ref.page ?? source.page?.id;
      // In a reusable content, an anchor belongs to the page that includes it.
      if (page === undefined) return { kind: 'url', url: `#${ref.anchor}` };
      return { kind: 'page', space: ref.space ?? own, page, anchor: ref.anchor };
    }
    case 'file':
      return { kind: 'file', space: own, id: ref.file };
    case 'reusable-content':
      return { kind: 'reusable-content', space: ref.space ?? own, id: ref.reusableContent };
    case 'space':
      return { kind: 'space', id: ref.space };
    case 'user':
      return { kind: 'user', id: ref.user };
    case 'collection':
      return { kind: 'collection', id: ref.collection };
    case 'openapi':
      return { kind: 'openapi', id: ref.spec };
  }
}

function isNeeded(use: LinkUse): boolean {
  return use === 'image' || use === 'reusable-content' || use === 'openapi';
}

/** Two spellings of the path of one missing file are the same target. */
function missingPath(written: string, context: ReferenceContext): string {
  const path = written.replace(/[?#][^]*/, '');
  if (path === '' || readStableTarget(written)) return written;
  const { file, root } = openContext(context);
  return resolvePath(path.startsWith('/') ? root : folderOf(file), percentDecoded(path) ?? path) ?? written;
}
