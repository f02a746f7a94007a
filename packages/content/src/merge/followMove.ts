import { invalid } from '@bindery/contract';
import type { PageSource } from '@bindery/dialect/frontmatter';
import type { RevisionRecord } from '@bindery/models';
import { rewriteTargetsOnThread } from '../parser-threads/linksOnThread.ts';
import { createResolver, type ReferenceContext } from '../references/createResolver.ts';
import { isOfSpace, isPathTarget, isStable, meansAt, relativeTarget } from '../references/followTarget.ts';
import { markdownOf } from '../store/documents.ts';
import type { PageItem } from '../store/items.ts';
import { loadFiles, loadReusableContents } from '../store/revisions.ts';
import type { ContentTree } from '../tree/contentTree.ts';

type Side = 'ours' | 'theirs';
type States<Value> = Record<'base' | Side, Value>;

/**
 * Rewrites the relative links of a page's file for the place in the repository to which one side moved it.
 *
 * @param side  the side that moved the file
 *
 * @returns the source with its links as that side would write them; `source` itself if none differs
 */
export type FollowMove = (source: PageSource, page: string, side: Side) => Promise<PageSource>;

/**
 * Creates the function that rewrites links of moved pages. The lists of files and reusable contents are
 * loaded with the first of them.
 */
export function createFollowMove(revisions: States<RevisionRecord>, trees: States<ContentTree>): FollowMove {
  const contexts = new Map<keyof States<unknown>, ReturnType<typeof loadContext>>();
  const contextOf = async (state: keyof States<unknown>, page: string): Promise<ReferenceContext> => {
    const context = contexts.get(state) ?? loadContext(revisions[state], trees[state]);
    contexts.set(state, context);
    return { ...(await context), from: { page: trees[state].page(page)?.page } };
  };
  return async (source, page, side) => {
    const [before, next] = await Promise.all([contextOf('base', page), contextOf(side, page)]);
    const [resolveOld, resolveNew] = [createResolver(before), createResolver(next)];
    const markdown = markdownOf(source);
    // Bytes that are not UTF-8 would not be preserved.
    if (Buffer.compare(Buffer.from(markdown), source.body) !== 0) return source;
    const moved = await rewriteTargetsOnThread(
      markdown,
      (written, use) => {
        if (!isPathTarget(written) || isStable(written)) return undefined;
        const meaning = resolveOld(written, use);
        if (!meaning || !isOfSpace(meaning)) return undefined;
        const means = meansAt(resolveNew, { meaning, use });
        if (means(written)) return undefined;
        const target = relativeTarget(written, meaning, { next, means });
        return means(target) && !isStable(target) ? target : undefined;
      },
      revisions.base.organization,
    );
    if (moved === undefined)
      throw invalid(
        'the change request',
        `cannot be merged: the links of its page ${page} take too long to read.`,
      );
    return moved === markdown ? source : { ...source, body: Buffer.from(moved) };
  };
}

async function loadContext(
  revision: RevisionRecord,
  tree: ContentTree,
): Promise<Omit<ReferenceContext, 'from'>> {
  const [files, reusableContents] = await Promise.all([loadFiles(revision), loadReusableContents(revision)]);
  return { organization: revision.organization, space: revision.space, tree, files, reusableContents };
}

/** Finds the side that moved the file of a page, if one of them did. */
export function moverOf(
  base: PageItem | undefined,
  { ours, theirs }: Record<Side, PageItem>,
): Side | undefined {
  const [o, a, b] = [base, ours, theirs].map((page) =>
    page?.type === 'document' ? page.git?.path : undefined,
  );
  if (o === undefined || a === undefined || b === undefined || (a === o) === (b === o)) return undefined;
  return a === o ? 'theirs' : 'ours';
}
