import type { RevisionRecord } from '@bindery/models';
import type { FileItem, ReusableContentItem } from '../store/items.ts';
import { loadFiles, loadReusableContents } from '../store/revisions.ts';
import { openTree, type ContentTree } from '../tree/contentTree.ts';

/** An opened revision for `createResolver`, which also needs the source of the references. */
export type RevisionReferences = {
  organization: string;
  space: string;
  tree: ContentTree;
  files: readonly FileItem[];
  reusableContents: readonly ReusableContentItem[];
};

export async function loadReferenceContext(revision: RevisionRecord): Promise<RevisionReferences> {
  const { organization, space } = revision;
  const [tree, files, reusableContents] = await Promise.all([
    openTree(organization, revision.pages),
    loadFiles(revision),
    loadReusableContents(revision),
  ]);
  return { organization, space, tree, files, reusableContents };
}
