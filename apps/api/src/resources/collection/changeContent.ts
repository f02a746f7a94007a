import { changeTree, holdTree, refreshAccess, type ClientSession, type CollectionRecord, type SpaceRecord } from '@bindery/models';
import type { Reply } from '../../http/reply.ts';
import { changeRecord } from '../changeRecord.ts';

/** The part of a mongoose model that this needs. */
type ContentModel = Parameters<typeof changeRecord>[0] & {
  findById(id: string): { session(session: ClientSession): { lean(): PromiseLike<unknown> } };
};

/**
 * Writes fields of a collection or a space; `undefined` removes one. A new level is also one for everything below that inherits it.
 *
 * @returns the record as it is now
 * @throws precondition_failed when it changed since the state that `If-Match` names
 */
export async function changeContent<R extends CollectionRecord | SpaceRecord>(
  model: ContentModel,
  record: R,
  { fields, reply }: { fields: { [K in keyof R]?: R[K] | undefined }; reply: Reply },
): Promise<R> {
  if (Object.keys(fields).length === 0) {
    reply.expect(record);
    return record;
  }
  const changes = { ...fields, updatedAt: new Date() };
  if (!('defaultLevel' in fields)) return changeRecord(model, record, changes, { reply });
  return changeTree(record.organization, async (session) => {
    await holdTree([record._id], session);
    const changed = await changeRecord(model, record, changes, { reply, session });
    await refreshAccess([record._id], session);
    return ((await model.findById(record._id).session(session).lean()) as R | null) ?? changed;
  });
}
