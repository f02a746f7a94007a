import type { ContentFields, RevisionRecord } from '@bindery/models';
import { createNodeBatch } from '../store/nodes.ts';
import { contentFields, loadFiles, loadReusableContents, newRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import type { MergeConflict } from './conflict.ts';
import { createConflictList, type ConflictLimits } from './conflictList.ts';
import { createFollowMove } from './followMove.ts';
import { mergeFileLists, mergeReusableContents, mergeRedirects, mergeVariables } from './mergeLists.ts';
import { mergeFiles } from './mergeFiles.ts';
import { mergeTrees } from './mergeTrees.ts';

type States = Record<'base' | 'ours' | 'theirs', RevisionRecord>;

export type MergedRevisions = {
  content: ContentFields;
  /** Empty when nothing of either side was overridden. */
  conflicts: MergeConflict[];
  /** The number of all conflicts: with limits, not all of them are listed. */
  conflictCount: number;
  /** Ids of the pages that both sides changed. */
  bothChanged: string[];
  /** The numbers of new documents and nodes. */
  documentsWritten: number;
  nodesWritten: number;
};

/**
 * Merges two revisions of a space that derive from a third one: pages, files, reusable contents, variables
 * and redirects.
 *
 * Stores new content; the caller inserts the revision itself. Where both sides changed the same thing,
 * `theirs` wins and a conflict with all texts is reported. Content that only one side changed is not read, so
 * the cost grows with the change.
 *
 * @param states.base  the common ancestor, or the last revision of `ours` that was merged into `theirs`
 * @param limits       of the listed conflicts; without them, all are listed
 */
export async function mergeRevisions(states: States, limits?: ConflictLimits): Promise<MergedRevisions> {
  const { ours } = states;
  const merged = { content: contentFields(ours), documentsWritten: 0, nodesWritten: 0 };
  const { content } = merged;
  const conflicts = createConflictList(limits);
  let bothChanged: string[] = [];
  const add = (more: { conflicts?: MergeConflict[]; documentsWritten?: number; nodesWritten?: number }) => {
    conflicts.add(more.conflicts ?? []);
    merged.documentsWritten += more.documentsWritten ?? 0;
    merged.nodesWritten += more.nodesWritten ?? 0;
  };
  const { organization } = ours;

  content.pages = await choose(states, 'pages', async () => {
    const trees = await ofAll(states, async ({ pages }) => openTree(organization, pages));
    const tree = mergeTrees(trees);
    conflicts.add(tree.conflicts);
    const followMove = createFollowMove(states, trees);
    const documentsWritten = await mergeFiles(organization, { tree, conflicts, followMove });
    const { root, nodesWritten } = await tree.edit.write();
    add({ documentsWritten, nodesWritten });
    bothChanged = tree.bothChanged;
    return root;
  });
  content.files = await choose(states, 'files', async () => {
    const { items, conflicts } = mergeFileLists(await ofAll(states, loadFiles));
    add({ conflicts });
    return store(items);
  });
  content.reusableContents = await choose(states, 'reusableContents', async () => {
    const { items, ...more } = await mergeReusableContents(
      organization,
      await ofAll(states, loadReusableContents),
    );
    add(more);
    return store(items);
  });
  const variables = mergeVariables(await ofAll(states, async (revision) => revision.variables));
  const redirects = mergeRedirects(await ofAll(states, async (revision) => revision.redirects));
  add({ conflicts: [...variables.conflicts, ...redirects.conflicts] });
  return {
    ...merged,
    content: { ...content, variables: variables.items, redirects: redirects.items },
    conflicts: conflicts.listed,
    conflictCount: conflicts.total,
    bothChanged,
  };

  async function store(items: readonly unknown[]): Promise<string> {
    const batch = createNodeBatch(organization);
    const hash = batch.add(items);
    add({ nodesWritten: await batch.write() });
    return hash;
  }
}

/**
 * Merges as `mergeRevisions` does, and returns the record of a revision with the result, which the caller
 * inserts.
 *
 * @param own.format  the format of the side of which the new revision is the next one
 */
export async function prepareMergedRevision(
  states: States,
  own: Pick<RevisionRecord, 'type' | 'parents' | 'createdBy' | 'format'>,
  limits?: ConflictLimits,
): Promise<MergedRevisions & { revision: RevisionRecord }> {
  const { organization, space } = states.ours;
  const merged = await mergeRevisions(states, limits);
  return { ...merged, revision: newRevision({ organization, space, ...own, ...merged.content }) };
}

/** Takes a list that only one side changed as it is, without reading it. */
async function choose(
  { base, ours, theirs }: States,
  part: 'pages' | 'files' | 'reusableContents',
  merge: () => Promise<string>,
): Promise<string> {
  if (theirs[part] === base[part] || theirs[part] === ours[part]) return ours[part];
  return ours[part] === base[part] ? theirs[part] : merge();
}

async function ofAll<Part>(
  { base, ours, theirs }: States,
  load: (revision: RevisionRecord) => Promise<Part>,
) {
  const [o, a, b] = await Promise.all([load(base), load(ours), load(theirs)]);
  return { base: o, ours: a, theirs: b };
}
