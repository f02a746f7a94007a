import {
  contentRootOf,
  createResolver,
  loadReferenceContext,
  onlyShown,
  type PageItem,
  type PageLookup,
  type PageTree,
  type ReferenceContext,
  type ReusableContentItem,
  type RevisionReferences,
} from '@bindery/content';
import type { ContentReference, Resolve } from '@bindery/dialect/links';
import type { RevisionRecord } from '@bindery/models';
import type { ContentReader } from '../visitor/visitor.ts';
import type { AppLinks } from '../site/appLinks.ts';
import { brokenReference } from './brokenReference.ts';
import { loadShownPages } from './shownPages.ts';

/**
 * The page or reusable content of a document: its relative links start there, and it may use its variables.
 */
export type DocumentOwner = { page: PageTree } | { reusableContent: ReusableContentItem };

/**
 * The targets of references in a revision for one reader. `whole` also has the pages that the reader does not
 * see; absent when the reader sees all.
 */
export type ReadReferences = Omit<RevisionReferences, 'tree'> & {
  appUrl: string;
  tree: PageLookup;
  root: string;
  whole?: PageLookup;
};

export async function loadReferences(
  revision: RevisionRecord,
  { links: { appUrl }, reader }: { links: Pick<AppLinks, 'appUrl'>; reader: ContentReader },
): Promise<ReadReferences> {
  const references = await loadReferenceContext(revision);
  const root = contentRootOf(references.tree);
  const tree = await shownTree(references.tree, { revision, reader });
  const whole = tree === references.tree ? undefined : references.tree;
  return { ...references, appUrl, root, tree, whole };
}

/** The pages of a revision that the reader sees, as targets of references. */
export async function shownTree(
  tree: PageLookup,
  { revision, reader }: { revision: RevisionRecord; reader: ContentReader },
): Promise<PageLookup> {
  const shown = await loadShownPages(revision, reader);
  if (shown.isWhole) return tree;
  const known = shownTrees.get(shown) ?? onlyShown(tree, (page) => shown.byId.has(page));
  shownTrees.set(shown, known);
  return known;
}

const shownTrees = new WeakMap<object, PageLookup>();

/** The context in which the targets of a page or of a reusable content are resolved. */
export function contextOf(references: ReadReferences, owner: DocumentOwner): ReferenceContext {
  const from =
    'page' in owner ? { page: owner.page as PageItem } : { reusableContent: owner.reusableContent };
  return { ...references, from };
}

/**
 * Resolves the targets of a document for its reader. A target on a page that the reader does not see becomes
 * a broken reference without a name.
 */
export function resolverFor(
  references: ReadReferences,
  owner: DocumentOwner,
  spaces?: ReadonlyMap<string, PageLookup>,
): Resolve {
  const context = { ...contextOf(references, owner), spaces };
  const { whole, tree } = references;
  const resolve = createResolver(context);
  if (!whole) return resolve;
  const resolveAll = createResolver({ ...context, tree: whole });
  const isHidden = (ref: ContentReference | undefined) => {
    if (ref?.kind !== 'page' && ref?.kind !== 'anchor') return false;
    return (
      ref.space === undefined &&
      ref.page !== undefined &&
      !tree.page(ref.page) &&
      whole.page(ref.page) !== undefined
    );
  };
  return (target, use) => {
    const found = resolve(target, use);
    const leadsOn = found !== undefined && found.kind !== 'url' && !isHidden(found);
    return leadsOn || !isHidden(resolveAll(target, use)) ? found : { kind: 'url', url: brokenReference };
  };
}
