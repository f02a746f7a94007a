import { storedTitle, type CreateCollection } from '@bindery/contract';
import {
  accessBelow,
  changeTree,
  Collection,
  positionAtEnd,
  siblingModels,
  type CollectionRecord,
  type MemberRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import { findParentForNew } from './destination.ts';

/** Creates a collection at the end of its parent. */
export async function createCollection(
  member: MemberRecord,
  { title = '', parent }: CreateCollection,
): Promise<CollectionRecord> {
  const { organization, user } = member;
  const id = newId();
  return changeTree(organization, async (session) => {
    const above =
      parent === undefined ? undefined : await findParentForNew(member, { parent, levels: 1 }, session);
    const siblingsOf = parent ?? organization;
    const now = new Date();
    const collection: CollectionRecord = {
      _id: id,
      organization,
      title: storedTitle(title),
      parent,
      ancestors: above ? [...above.ancestors, above._id] : [],
      siblingsOf,
      position: await positionAtEnd(siblingModels, siblingsOf, session),
      defaultLevel: 'inherit',
      access: accessBelow(above?.access, { defaultLevel: 'inherit' }),
      version: 1,
      createdBy: user,
      createdAt: now,
      updatedAt: now,
    };
    await Collection.create([collection], { session });
    return collection;
  });
}
