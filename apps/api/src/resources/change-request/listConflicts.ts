import { findConflicts, loadReusableContents, openTree, type OpenConflict } from '@bindery/content';
import type { ChangeRequestConflict, ChangeRequestConflicts } from '@bindery/contract';
import type { ChangeRequestRecord, RevisionRecord } from '@bindery/models';
import { loadSides } from './combineContent.ts';

const maxCharacters = 4_000;

/**
 * Lists the conflicts that an update or a merge of a change request would meet now. Changes nothing.
 *
 * @throws conflict when it is merged
 */
export async function listConflicts(
  changeRequest: ChangeRequestRecord,
  { limit }: { limit: number },
): Promise<ChangeRequestConflicts> {
  const { states } = await loadSides(changeRequest);
  const { base, ours, theirs } = states;
  const { conflicts, conflictCount } = await findConflicts(states, {
    entries: limit,
    characters: maxCharacters,
  });
  const nameOf = conflicts.length > 0 ? await namesIn([theirs, ours, base]) : () => ({});
  return {
    revisions: { base: base._id, main: ours._id, changeRequest: theirs._id },
    conflicts: conflicts.map(({ ours: main, theirs: own, ...conflict }) => ({
      ...conflict,
      ...nameOf(conflict),
      main,
      changeRequest: own,
    })),
    more: conflictCount > conflicts.length ? conflictCount - conflicts.length : undefined,
  };
}

type NameOf = (
  conflict: Pick<OpenConflict, 'page' | 'reusableContent'>,
) => Pick<ChangeRequestConflict, 'title' | 'path'>;

/** Names pages and reusable contents as the first of the revisions that has them. */
async function namesIn(revisions: readonly RevisionRecord[]): Promise<NameOf> {
  const [trees, contents] = await Promise.all([
    Promise.all(revisions.map(({ organization, pages }) => openTree(organization, pages))),
    Promise.all(revisions.map(loadReusableContents)),
  ]);
  const titles = new Map(contents.toReversed().flatMap((all) => all.map(({ id, title }) => [id, title])));
  return ({ page: id, reusableContent }) => {
    if (id === undefined) return { title: titles.get(reusableContent ?? '') };
    const page = trees.map((tree) => tree.page(id)?.page).find((found) => found !== undefined);
    return { title: page?.title, path: page && 'path' in page ? page.path : undefined };
  };
}
