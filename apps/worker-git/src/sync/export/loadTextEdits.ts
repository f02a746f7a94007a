import { editedTexts, isSame, openTree } from '@bindery/content';
import type { RevisionRecord } from '@bindery/models';
import type { TextEdits } from '../../child/repositoryExport.ts';
import { loadSyncedTrees } from '../syncPoint.ts';
import type { Exporting } from './exporting.ts';

/** More pages are planned with the whole content, which is hardly slower then. */
const maxPages = 1_000;

/**
 * Finds the pages whose texts alone differ from the last state in sync, and loads the trees of its commit.
 *
 * @param loadSynced  loads the revision last in sync
 * @returns undefined if anything else has changed, or those trees are not kept
 */
export async function loadTextEdits(
  { exported, point, merge }: Exporting,
  loadSynced: () => Promise<RevisionRecord | undefined>,
): Promise<TextEdits | undefined> {
  if (merge || !point?.trees || point.trees.commit !== point.commit) return undefined;
  const synced = await loadSynced();
  const isElsewhere = synced?.organization !== exported.organization;
  if (!synced || isElsewhere || !hasSameItems(synced, exported)) return undefined;
  const { organization } = exported;
  const [before, now, trees] = await Promise.all([
    openTree(organization, synced.pages),
    openTree(organization, exported.pages),
    loadSyncedTrees(point),
  ]);
  const pages = trees && editedTexts(before, now);
  if (!pages || pages.length === 0 || pages.length > maxPages) return undefined;
  return { commit: point.commit, root: point.trees.root, trees, pages };
}

type Items = Pick<Exporting['exported'], 'files' | 'reusableContents' | 'variables' | 'redirects'>;

/** Whether two revisions differ in their pages alone. */
function hasSameItems(one: Items, other: Items): boolean {
  return (
    one.files === other.files &&
    one.reusableContents === other.reusableContents &&
    isSame(one.variables, other.variables) &&
    isSame(one.redirects, other.redirects)
  );
}
