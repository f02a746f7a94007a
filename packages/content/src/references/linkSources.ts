import { isSafeTarget } from '@bindery/contract';
import type { ContentReference } from '@bindery/dialect/links';
import type { PageItem, ReusableContentItem } from '../store/items.ts';
import type { DocumentOf } from './loadFacts.ts';
import type { RevisionReferences } from './referenceContext.ts';

/** The source of links: a page or a reusable content. */
export type LinkSource =
  | { page: PageItem; reusableContent?: undefined }
  | { page?: undefined; reusableContent: ReusableContentItem };

/** Yields every page in the order of the tree, then every reusable content. */
export function* sourcesOf({
  tree,
  reusableContents,
}: Pick<RevisionReferences, 'tree' | 'reusableContents'>): Iterable<LinkSource> {
  for (const { page } of tree.all()) yield { page };
  for (const reusableContent of reusableContents) yield { reusableContent };
}

export function documentOf({ page, reusableContent }: LinkSource): DocumentOf | undefined {
  if (reusableContent) return { hash: reusableContent.document, of: 'reusable-content' };
  return page.type === 'document' && page.document !== undefined
    ? { hash: page.document, of: 'page', title: page.title }
    : undefined;
}

/**
 * The references of a page outside of its document: its cover, the target of a link page, the source of
 * computed pages.
 */
export function ownReferences({ page }: LinkSource): { ref: ContentReference; dependsOn: boolean }[] {
  switch (page?.type) {
    case 'document':
      return [page.cover?.ref, page.cover?.refDark].flatMap((ref) =>
        ref && isSafe(ref, 'picture') ? [{ ref, dependsOn: true }] : [],
      );
    case 'link':
      return isSafe(page.target) ? [{ ref: page.target, dependsOn: false }] : [];
    case 'computed':
      return 'spec' in page.computed.dependencies
        ? [{ ref: page.computed.dependencies.spec.ref, dependsOn: true }]
        : [];
    case 'group':
    case undefined:
      return [];
  }
}

function isSafe(ref: ContentReference, use?: 'link' | 'picture'): boolean {
  return ref.kind !== 'url' || isSafeTarget(ref.url, use);
}
