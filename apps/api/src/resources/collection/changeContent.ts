import {
  changeTree,
  holdTree,
  refreshAccess,
  type ClientSession,
  type CollectionRecord,
  type SpaceRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';

/** The parts of a mongoose model used here. */
type ContentModel = Parameters<typeof changeRecord>[0] & {
  findById(id: string): { session(session: ClientSession): { lean(): PromiseLike<unknown> } };
};

/**
 * Writes fields of a collection or a space; `undefined` removes a field. A new level also applies to all
 * content below that inherits it.
 *
 * @returns the updated record
 */
export async function changeContent<R extends CollectionRecord | SpaceRecord>(
  model: ContentModel,
  record: R,
  fields: { [K in keyof R]?: R[K] | undefined },
): Promise<R> {
  if (Object.keys(fields).length === 0) return record;
  const changes = { ...fields, updatedAt: new Date() };
  if (!('defaultLevel' in fields)) return changeRecord(model, record, changes);
  return changeTree(record.organization, async (session) => {
    await holdTree([record._id], session);
    const changed = await changeRecord(model, record, changes, { session });
    await refreshAccess([record._id], session);
    return ((await model.findById(record._id).session(session).lean()) as R | null) ?? changed;
  });
}
