import { diffTrees, type ComparedTree } from '../merge/diffTrees.ts';
import type { GitLocation, PageItem } from '../store/items.ts';

/** A page with another text than in the content last in sync; `before` is the document that it had there. */
export type EditedText = { id: string; title: string; document: string; before: string; git: GitLocation };

/**
 * Lists the pages whose texts changed between the pages last in sync and the present ones. The cost follows
 * the change, not the space.
 *
 * @returns undefined if anything else about the pages has changed, or may have to be written
 */
export function editedTexts(synced: ComparedTree, now: ComparedTree): EditedText[] | undefined {
  if (now.node(now.root).some(isUnwrittenStart)) return undefined;
  const edited: EditedText[] = [];
  for (const change of diffTrees(synced, now).values()) {
    if (change.kind !== 'changed' || change.moved) return undefined;
    if ([...change.fields].some((name) => !ofText.has(name))) return undefined;
    const [before, { page }] = [change.before.page, change.after];
    // A page of another kind differs in its type.
    if (page.type !== 'document' || before.type !== 'document') return undefined;
    if (page.document === before.document) continue;
    // A cover is a target in the text, which may have to be written anew.
    const { id, title, document, git, cover } = page;
    if (document === undefined || before.document === undefined || !git || cover) return undefined;
    edited.push({ id, title, document, before: before.document, git });
  }
  return edited;
}

/** Fields that an edit of a text changes. */
const ofText: ReadonlySet<string> = new Set(['document', 'updatedAt']);

/** An export gives this page a file; see `withStartPage`. */
function isUnwrittenStart(page: PageItem): boolean {
  return page.type === 'document' && page.document === undefined && page.path === 'readme';
}
