import {
  findConflicts,
  loadFiles,
  loadReusableContents,
  loadRevision,
  openTree,
  type ContentTree,
} from '@bindery/content';
import type { FolderConflict } from '@bindery/contract';
import type { RevisionRecord, SpaceRecord } from '@bindery/models';
import type { FolderTarget } from './folderTarget.ts';
import { findOverriddenEdits, keyOf } from './overriddenEdits.ts';

type Import = {
  space: SpaceRecord;
  /** The content that the folder is put into, and the result. */
  base: RevisionRecord;
  next: RevisionRecord;
};

/** More would not fit in the memory of a worker. */
const limits = { entries: 10_000, characters: 0 };

/**
 * Finds what an import of a folder overrides, or would override in a merge: edits of the main content since
 * the folder was pushed before, and edits inside the change request.
 *
 * @returns also whether edits inside the change request are overridden: no merge comes in between there
 */
export async function findFolderConflicts(
  { open, ancestor }: FolderTarget,
  { space, base, next }: Import,
): Promise<{ conflicts: FolderConflict[]; isWithheld: boolean }> {
  const load = async (id: string) => loadRevision(space._id, id);
  const origin = open ? await load(open.revisionMergedAncestor ?? open.revisionInitial) : base;
  const known = open?.folder ? await load(open.folder.revision) : origin;
  const inside = await findOverriddenEdits({ since: known, edited: base, next });
  const conflicts = new Map(inside);
  if (ancestor !== undefined) {
    const before = await findOverriddenEdits({ since: await load(ancestor), edited: origin, next });
    for (const [key, conflict] of before) conflicts.set(key, conflict);
  }
  if (origin._id !== space.revision)
    for (const conflict of await findMergeConflicts({
      base: origin,
      ours: await load(space.revision),
      theirs: next,
    }))
      conflicts.set(keyOf(conflict), conflict);
  return { conflicts: [...conflicts.values()], isWithheld: inside.size > 0 };
}

/** Finds the edits of the main content since the change request was opened that its merge would override. */
async function findMergeConflicts(
  states: Record<'base' | 'ours' | 'theirs', RevisionRecord>,
): Promise<FolderConflict[]> {
  const { conflicts } = await findConflicts(states, limits);
  if (conflicts.length === 0) return [];
  const titles = new Map<string, string>();
  const trees: ContentTree[] = [];
  for (const revision of [states.theirs, states.base, states.ours]) {
    for (const { id, name } of await loadFiles(revision)) titles.set(id, name);
    for (const { id, title } of await loadReusableContents(revision)) titles.set(id, title);
    trees.unshift(await openTree(revision.organization, revision.pages));
  }
  return conflicts.map(({ page, file, reusableContent, variable, redirect = '' }): FolderConflict => {
    if (page !== undefined) {
      const found = trees.map((tree) => tree.page(page)?.page).find((each) => each !== undefined);
      const path = found && 'path' in found ? { path: found.path } : {};
      return { type: 'page', id: page, title: found?.title ?? page, ...path };
    }
    const stored = file ?? reusableContent;
    if (stored !== undefined) {
      const type = file === undefined ? 'reusable-content' : 'file';
      return { type, id: stored, title: titles.get(stored) ?? stored };
    }
    const type = variable === undefined ? 'redirect' : 'variable';
    return { type, id: variable ?? redirect, title: variable ?? redirect };
  });
}
