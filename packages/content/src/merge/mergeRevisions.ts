import type { RevisionRecord } from '@bindery/models';
import { createNodeBatch } from '../store/nodes.ts';
import { loadFiles, loadReusableContents } from '../store/revisions.ts';
import { openTree } from '../tree/contentTree.ts';
import type { MergeConflict } from './conflict.ts';
import { mergeFileLists, mergeReusableContents, mergeRedirects, mergeVariables } from './mergeLists.ts';
import { mergeFiles } from './mergeFiles.ts';
import { mergeTrees } from './mergeTrees.ts';

/** The content of a revision, as its record names it. */
export type RevisionRoots = Pick<RevisionRecord, 'pages' | 'files' | 'reusableContents' | 'variables' | 'redirects'>;

export type MergedRevisions = {
  content: RevisionRoots;
  /** Empty when both sides could be kept wholly. */
  conflicts: MergeConflict[];
  /** How much was new. */
  documentsWritten: number;
  nodesWritten: number;
};

/**
 * Merges two revisions of one space that were made from a third one: pages, files, reusable contents, variables and redirects.
 *
 * What is new is stored; the revision itself is left to the caller. Where both sides changed the same thing, that of `theirs` is taken and told as a
 * conflict with all texts. What only one side touched is not looked at: the cost follows the change.
 *
 * @param base  the revision that both were made from, or the last one of `ours` that was merged into `theirs`
 */
export async function mergeRevisions({ base, ours, theirs }: Record<'base' | 'ours' | 'theirs', RevisionRecord>): Promise<MergedRevisions> {
  const merged: MergedRevisions = { content: rootsOf(ours), conflicts: [], documentsWritten: 0, nodesWritten: 0 };
  const { content } = merged;
  const add = (more: Partial<Omit<MergedRevisions, 'content'>>) => {
    merged.conflicts.push(...(more.conflicts ?? []));
    merged.documentsWritten += more.documentsWritten ?? 0;
    merged.nodesWritten += more.nodesWritten ?? 0;
  };
  const { organization } = ours;
  const states = { base, ours, theirs };

  content.pages = await choose(states, 'pages', async () => {
    const [o, a, b] = await Promise.all([base, ours, theirs].map(async ({ pages }) => openTree(organization, pages)));
    const tree = mergeTrees({ base: o, ours: a, theirs: b } as Parameters<typeof mergeTrees>[0]);
    const files = await mergeFiles(organization, tree);
    const { root, nodesWritten } = await tree.edit.write();
    add({ conflicts: [...tree.conflicts, ...files.conflicts], documentsWritten: files.documentsWritten, nodesWritten });
    return root;
  });
  content.files = await choose(states, 'files', async () => {
    const { items, conflicts } = mergeFileLists(await ofAll(states, loadFiles));
    add({ conflicts });
    return store(items);
  });
  content.reusableContents = await choose(states, 'reusableContents', async () => {
    const { items, ...more } = await mergeReusableContents(organization, await ofAll(states, loadReusableContents));
    add(more);
    return store(items);
  });
  const variables = mergeVariables(await ofAll(states, async (revision) => revision.variables));
  const redirects = mergeRedirects(await ofAll(states, async (revision) => revision.redirects));
  add({ conflicts: [...variables.conflicts, ...redirects.conflicts] });
  return { ...merged, content: { ...content, variables: variables.items, redirects: redirects.items } };

  async function store(items: readonly unknown[]): Promise<string> {
    const batch = createNodeBatch(organization);
    const hash = batch.add(items);
    add({ nodesWritten: await batch.write() });
    return hash;
  }
}

function rootsOf({ pages, files, reusableContents, variables, redirects }: RevisionRecord): RevisionRoots {
  return { pages, files, reusableContents, variables, redirects };
}

type States = Record<'base' | 'ours' | 'theirs', RevisionRecord>;

/** What only one side changed is as that side has it; nothing is read for it. */
async function choose(
  { base, ours, theirs }: States,
  part: 'pages' | 'files' | 'reusableContents',
  merge: () => Promise<string>,
): Promise<string> {
  if (theirs[part] === base[part] || theirs[part] === ours[part]) return ours[part];
  return ours[part] === base[part] ? theirs[part] : merge();
}

async function ofAll<Part>({ base, ours, theirs }: States, load: (revision: RevisionRecord) => Promise<Part>) {
  const [o, a, b] = await Promise.all([load(base), load(ours), load(theirs)]);
  return { base: o, ours: a, theirs: b };
}
