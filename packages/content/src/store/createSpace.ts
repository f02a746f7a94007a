import { Space, withTransaction, type SpaceRecord } from '@bindery/models';
import { newId } from '@bindery/runtime';
import { slugOfTitle } from '../gitbook/paths.ts';
import { insertRevision, prepareRevision } from './revisions.ts';

const maxTitleLength = 50;
const untitled = 'Untitled';

export type NewSpace = {
  organization: string;
  createdBy: string;
  title?: string | undefined;
  emoji?: string | undefined;
  parent?: string | undefined;
  language?: string | undefined;
  editMode?: 'live' | 'locked' | undefined;
};

/** Makes a space with its first revision: one empty page named like the space. A blank title becomes "Untitled". */
export async function createSpace({
  organization,
  createdBy,
  title: givenTitle = '',
  editMode = 'live',
  ...optional
}: NewSpace): Promise<SpaceRecord> {
  const title = [...givenTitle.trim()].slice(0, maxTitleLength).join('') || untitled;
  const now = new Date();
  const id = newId();
  const time = now.toISOString();
  const { revision } = await prepareRevision({
    organization,
    space: id,
    parents: [],
    type: 'edits',
    createdBy,
    content: {
      pages: [
        { type: 'document', id: newId(), title, slug: slugOfTitle(title, 'page'), path: '', createdAt: time, updatedAt: time, pages: [] },
      ],
      files: [],
      reusableContents: [],
      variables: [],
      redirects: [],
    },
  });
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  const space: SpaceRecord = {
    _id: id,
    organization,
    title,
    editMode,
    defaultLevel: 'inherit',
    revision: revision._id,
    createdBy,
    createdAt: now,
    updatedAt: now,
    ...given,
  };
  await withTransaction(async (session) => {
    await insertRevision(revision, session);
    await Space.create([space], { session });
  });
  return space;
}
