import type { FoundPage, PageIndex } from '@bindery/content';
import { invalid, type DocumentNode, type TargetPage } from '@bindery/contract';
import type { CommentRecord, TargetPageRecord } from '@bindery/models';
import { loadParsedDocument } from '@bindery/publishing';
import { activeRevision, loadPagesOf, type Thread } from '../../records/thread.ts';

/**
 * The page that a new comment refers to, in its current state.
 *
 * @param node  key of a block of the page; absent when the comment refers to the whole page
 * @throws invalid_request when the content of the thread has no such page, or the page no such block
 */
export async function findTargetPage(
  thread: Thread,
  pageId: string,
  node: string | undefined,
): Promise<TargetPageRecord> {
  const { byId } = await loadPagesOf(thread.space, activeRevision(thread));
  const found = byId.get(pageId);
  if (!found) throw invalid('body.page', 'is not the id of a page of this content.');
  if (node !== undefined && !(await hasBlock(thread.space.organization, found, node)))
    throw invalid('body.node', 'is not the key of a block of this page.');
  return recordOf(found);
}

async function hasBlock(organization: string, { page }: FoundPage, key: string): Promise<boolean> {
  const hash = page.type === 'document' ? page.document : undefined;
  if (hash === undefined) return false;
  const { nodes } = await loadParsedDocument({ organization, hash, title: page.title, isForVisitor: false });
  const isIn = (node: DocumentNode): boolean =>
    node.object === 'block' &&
    (node.key === key ||
      [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)].some(isIn));
  return nodes.some(isIn);
}

/**
 * Returns a look-up of the pages that comments of one thread refer to: in their current state, or as they
 * were at the time of the comment.
 *
 * A page is outdated when it is no longer in the main content. A page added by a change request was never
 * there, so it is not outdated.
 */
export async function showTargetPages(
  thread: Thread,
  comments: readonly CommentRecord[],
): Promise<(comment: CommentRecord) => TargetPage | undefined> {
  if (comments.every(({ target }) => target.page === undefined)) return () => undefined;
  const { space, changeRequest } = thread;
  const baseRevision =
    changeRequest?.revisionMergedAncestor ?? changeRequest?.revisionInitial ?? space.revision;
  const [main, now, base] = await loadEach(space, [space.revision, activeRevision(thread), baseRevision]);
  const isNew = (id: string) => now.byId.has(id) && !base.byId.has(id);
  return ({ target: { page } }) => {
    if (!page) return undefined;
    const found = now.byId.get(page.id) ?? main.byId.get(page.id);
    return { ...(found ? recordOf(found) : page), outdated: !main.byId.has(page.id) && !isNew(page.id) };
  };
}

/** Loads the pages of three revisions, which are often the same. */
async function loadEach(
  space: Thread['space'],
  [a, b, c]: [string, string, string],
): Promise<[PageIndex, PageIndex, PageIndex]> {
  const first = loadPagesOf(space, a);
  const second = b === a ? first : loadPagesOf(space, b);
  const known = c === a ? first : second;
  const third = c === a || c === b ? known : loadPagesOf(space, c);
  return Promise.all([first, second, third]);
}

function recordOf({ page }: FoundPage): TargetPageRecord {
  const { id, title, createdAt, updatedAt } = page;
  const { emoji, icon } = page.type === 'document' ? page : {};
  return {
    id,
    title,
    emoji,
    icon,
    createdAt,
    updatedAt,
    // Links and computed pages have no path.
    path: 'path' in page ? page.path : '',
  };
}
