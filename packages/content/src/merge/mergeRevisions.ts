import type { ContentFields, RevisionRecord } from '@bindery/models';
import { createNodeBatch } from '../store/nodes.ts';
import { contentFields, loadFiles, loadReusableContents, newRevision } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import type { Choices } from './conflict/choices.ts';
import type { FoundConflict, MergeConflict, OpenConflict } from './conflict/conflict.ts';
import { createConflictList, type ConflictLimits } from './conflict/conflictList.ts';
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
  /** Ids with a choice that fits no conflict: none has the id, or it is given a text but takes none. */
  unfit: { unknown: readonly string[]; withoutText: readonly string[] };
  /** Ids of the pages that both sides changed. */
  bothChanged: string[];
  /** The numbers of new documents and nodes. */
  documentsWritten: number;
  nodesWritten: number;
};

export type MergeOptions = {
  /** Limits of the listed conflicts; without them, all are listed. */
  limits?: ConflictLimits;
  /** The version to take for conflicts, which then are not listed. */
  choices?: Choices | undefined;
};

/**
 * Merges two revisions of a space that derive from a third one: pages, files, reusable contents, variables
 * and redirects.
 *
 * Stores new content; the caller inserts the revision itself. Where both sides changed the same thing and
 * there is no choice, `theirs` wins and a conflict with all texts is reported. Content that only one side
 * changed is not read, so the cost grows with the change.
 *
 * @param states.base  the common ancestor, or the last revision of `ours` that was merged into `theirs`
 */
export async function mergeRevisions(states: States, options: MergeOptions = {}): Promise<MergedRevisions> {
  const { conflicts, ...merged } = await merge(states, { ...options, isDryRun: false });
  return { ...merged, conflicts: conflicts.map(withoutId) };
}

function withoutId(open: OpenConflict): MergeConflict {
  const { id: _, merged: __, ...conflict } = open;
  return conflict;
}

/**
 * Finds the conflicts of a merge, with the ids that choices name them by, and stores nothing. The ids depend
 * on the three revisions.
 */
export async function findConflicts(
  states: States,
  limits: ConflictLimits,
): Promise<{ conflicts: OpenConflict[]; conflictCount: number }> {
  return merge(states, { limits, isDryRun: true });
}

type Merged = Omit<MergedRevisions, 'conflicts'> & { conflicts: OpenConflict[] };

async function merge(
  states: States,
  { isDryRun, ...options }: MergeOptions & { isDryRun: boolean },
): Promise<Merged> {
  const { ours } = states;
  const merged = { content: contentFields(ours), documentsWritten: 0, nodesWritten: 0 };
  const { content } = merged;
  const conflicts = createConflictList([states.base._id, ours._id, states.theirs._id], options);
  const { chooseSide, choicesOf } = conflicts;
  let bothChanged: string[] = [];
  const add = (more: { conflicts?: FoundConflict[]; documentsWritten?: number; nodesWritten?: number }) => {
    conflicts.add(more.conflicts ?? []);
    merged.documentsWritten += more.documentsWritten ?? 0;
    merged.nodesWritten += more.nodesWritten ?? 0;
  };
  const { organization } = ours;

  content.pages = await choose(states, 'pages', async () => {
    const trees = await ofAll(states, async ({ pages }) => openTree(organization, pages));
    const tree = mergeTrees(trees, chooseSide);
    conflicts.add(tree.conflicts);
    const followMove = createFollowMove(states, trees);
    const documentsWritten = await mergeFiles(organization, { tree, conflicts, followMove, isDryRun });
    bothChanged = tree.bothChanged;
    if (isDryRun) return ours.pages;
    const { root, nodesWritten } = await tree.edit.write();
    add({ documentsWritten, nodesWritten });
    return root;
  });
  content.files = await choose(states, 'files', async () => {
    const { items, conflicts } = mergeFileLists(await ofAll(states, loadFiles), chooseSide);
    add({ conflicts });
    return store(items);
  });
  content.reusableContents = await choose(states, 'reusableContents', async () => {
    const { items, ...more } = await mergeReusableContents(
      organization,
      await ofAll(states, loadReusableContents),
      { choicesOf, isDryRun },
    );
    add(more);
    return store(items);
  });
  const variables = mergeVariables(await ofAll(states, async (revision) => revision.variables), chooseSide);
  const redirects = mergeRedirects(await ofAll(states, async (revision) => revision.redirects), chooseSide);
  add({ conflicts: [...variables.conflicts, ...redirects.conflicts] });
  return {
    ...merged,
    content: { ...content, variables: variables.items, redirects: redirects.items },
    conflicts: conflicts.listed,
    conflictCount: conflicts.total,
    unfit: { unknown: conflicts.unknown, withoutText: conflicts.withoutText },
    bothChanged,
  };

  async function store(items: readonly unknown[]): Promise<string> {
    if (isDryRun) return '';
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
  options?: MergeOptions,
): Promise<MergedRevisions & { revision: RevisionRecord }> {
  const { organization, space } = states.ours;
  const merged = await mergeRevisions(states, options);
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
