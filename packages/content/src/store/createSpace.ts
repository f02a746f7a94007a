import { storedTitle } from '@bindery/contract';
import type { ClientSession, SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { addSpace, insertSpace, type SpaceInsertion } from './insertSpace.ts';
import { prepareRevision, type RevisionContent } from './revisions.ts';

export type NewSpace = {
  organization: string;
  createdBy: string;
  title?: string | undefined;
  emoji?: string | undefined;
  parent?: string | undefined;
  language?: string | undefined;
  editMode?: 'live' | 'locked' | undefined;
  /** The content of its first revision; absent: one empty page named like the space. */
  content?: RevisionContent | undefined;
  defaultLevel?: SpaceRecord['defaultLevel'] | undefined;
  grants?: SpaceInsertion['grants'];
};

/** Content without anything, not even a page. */
export const emptyContent: RevisionContent = {
  pages: [],
  files: [],
  reusableContents: [],
  variables: [],
  redirects: [],
};

/**
 * Creates a space with its first revision. A blank title becomes "Untitled".
 *
 * @throws conflict when the parent collection does not exist (any more)
 */
export async function createSpace(newSpace: NewSpace): Promise<SpaceRecord> {
  return addSpace(await prepareInsertion(newSpace));
}

/**
 * Prepares a space for a transaction of the caller: writes the first revision's nodes; `insert` adds the
 * space and the revision.
 *
 * @returns `siblingsOf` identifies the order that the space joins: concurrent inserts into one order are
 *   faster one after the other (`serialized`)
 */
export async function prepareSpace(
  newSpace: NewSpace,
): Promise<{ siblingsOf: string; insert: (session: ClientSession) => Promise<SpaceRecord> }> {
  const insertion = await prepareInsertion(newSpace);
  return {
    siblingsOf: newSpace.parent ?? newSpace.organization,
    insert: async (session) => insertSpace(insertion, session),
  };
}

async function prepareInsertion({
  organization,
  createdBy,
  title: givenTitle = '',
  editMode = 'live',
  content,
  defaultLevel = 'inherit',
  grants = [],
  ...optional
}: NewSpace): Promise<SpaceInsertion> {
  const title = storedTitle(givenTitle);
  const id = newId();
  const { revision } = await prepareRevision({
    organization,
    space: id,
    parents: [],
    type: 'edits',
    createdBy,
    content: content ?? onePage(title),
  });
  const { parent, emoji, language } = optional;
  return {
    space: {
      _id: id,
      organization,
      title,
      editMode,
      defaultLevel,
      createdBy,
      parent,
      emoji,
      language,
    },
    revision,
    grants,
  };
}

function onePage(title: string): RevisionContent {
  const time = new Date().toISOString();
  return {
    ...emptyContent,
    pages: [
      {
        type: 'document',
        id: newId(),
        title,
        slug: 'readme',
        path: 'readme',
        createdAt: time,
        updatedAt: time,
        pages: [],
      },
    ],
  };
}
