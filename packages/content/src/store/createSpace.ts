import { ApiError } from '@bindery/contract';
import {
  accessBelow,
  Collection,
  lockTree,
  positionAtEnd,
  serialized,
  siblingModels,
  Space,
  withTransaction,
  type ClientSession,
  type CollectionRecord,
  type SpaceRecord,
} from '@bindery/models';
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
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as {
    parent?: string;
    emoji?: string;
    language?: string;
  };
  const siblingsOf = given.parent ?? organization;
  // Not in the transaction: two hundred that make spaces at once would all wait for one record.
  return serialized(`siblings:${siblingsOf}`, async () =>
    withTransaction(async (session) => {
      const above = given.parent === undefined ? undefined : await loadParent({ organization, parent: given.parent }, session);
      const space: SpaceRecord = {
        _id: id,
        organization,
        title,
        editMode,
        ...given,
        ancestors: above ? [...above.ancestors, above._id] : [],
        siblingsOf,
        position: await positionAtEnd(siblingModels, siblingsOf, session),
        defaultLevel: 'inherit',
        access: accessBelow(above?.access, { defaultLevel: 'inherit' }),
        counts: { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 },
        lastChangeRequest: 0,
        revision: revision._id,
        createdBy,
        createdAt: now,
        updatedAt: now,
        isDeleted: false,
        version: 1,
      };
      await insertRevision(revision, session);
      await Space.create([space], { session });
      return space;
    }),
  );
}

async function loadParent({ organization, parent }: { organization: string; parent: string }, session: ClientSession) {
  await lockTree(organization, session);
  const collection = await Collection.findOne({ _id: parent, organization }).session(session).lean<CollectionRecord>();
  if (!collection) throw new ApiError('conflict', 'The collection was removed while the space was made; choose another `parent`.');
  return collection;
}
