import { storedTitle } from '@bindery/contract';
import type { SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { addSpace, type SpaceInsertion } from './insertSpace.ts';
import { loadRevision } from './revisions.ts';

const suffix = ' (copy)';
const maxTitleLength = 50;

/**
 * Creates a space next to another one, with the other's current content as its only revision. Change
 * requests, comments, git sync, sites and grants are not copied; the access level is, so that a closed space
 * has a closed copy.
 *
 * @param grants  the grants of the copy
 * @throws conflict when the parent collection no longer exists
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
  const { contentHash, format, pages, files, reusableContents, variables, redirects } = current;
  const id = newId();
  return addSpace({
    space: {
      _id: id,
      organization,
      title: `${storedTitle([...title].slice(0, maxTitleLength - suffix.length).join(''))}${suffix}`,
      editMode,
      defaultLevel,
      createdBy,
      parent,
      emoji,
      icon,
      language,
    },
    // The nodes are stored already, under their hashes; the commit belongs to the other space.
    revision: {
      _id: newId(),
      organization,
      space: id,
      parents: [],
      type: 'edits',
      createdBy,
      createdAt: new Date(),
      contentHash,
      format,
      pages,
      files,
      reusableContents,
      variables,
      redirects,
    },
    grants,
  });
}
