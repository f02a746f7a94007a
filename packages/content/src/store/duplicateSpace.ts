import { storedTitle } from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { addSpace, type SpaceInsertion } from './insertSpace.ts';
import { loadRevision } from './revisions.ts';

const suffix = ' (copy)';
const maxTitleLength = 50;

/**
 * Makes a space with the current content of another one as its one revision, beside it. Change requests, comments, git sync, sites and grants are
 * not copied; its level is, so that what is closed stays closed.
 *
 * @param grants  what is granted in the copy
 * @throws conflict when the parent collection is not there any more
 */
export async function duplicateSpace({
  space: original,
  createdBy,
  grants = [],
}: {
  space: SpaceRecord;
  createdBy: string;
  grants?: SpaceInsertion['grants'];
}): Promise<SpaceRecord> {
  const { organization, title, editMode, defaultLevel, parent, emoji, icon, language } = original;
  const current = await loadRevision(original._id, original.revision);
  const { contentHash, pages, files, reusableContents, variables, redirects } = current;
  const id = newId();
  return addSpace({
    space: {
      _id: id,
      organization,
      title: `${storedTitle([...title].slice(0, maxTitleLength - suffix.length).join(''))}${suffix}`,
      editMode,
      defaultLevel,
      createdBy,
      ...(parent !== undefined && { parent }),
      ...(emoji !== undefined && { emoji }),
      ...(icon !== undefined && { icon }),
      ...(language !== undefined && { language }),
    },
    // The nodes are there already, under what they are; the commit that they came from is not one of this space.
    revision: {
      _id: newId(),
      organization,
      space: id,
      parents: [],
      type: 'edits',
      createdBy,
      createdAt: new Date(),
      contentHash,
      pages,
      files,
      reusableContents,
      variables,
      redirects,
    },
    grants,
  });
}
