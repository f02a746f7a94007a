import { ApiError, notFound, type UpdateChangeRequest } from '@bindery/contract';
import {
  ChangeRequest,
  serialized,
  Space,
  statusCounters,
  withTransaction,
  type ChangeRequestRecord,
} from '@bindery/models';
import { compact } from '@bindery/runtime';
import { changeRecord } from '../../records/changeRecord.ts';

/**
 * Changes the subject or the status. The same transaction updates the counters of the space, from the status
 * stored at that time.
 *
 * @throws conflict when the change request is merged and the status would change
 */
export async function updateChangeRequestById(
  { _id: id, space }: ChangeRequestRecord,
  { subject, status }: UpdateChangeRequest,
): Promise<ChangeRequestRecord> {
  return serialized(`space:${space}`, () =>
    withTransaction(async (session) => {
      const current = await ChangeRequest.findById(id).session(session).lean<ChangeRequestRecord>();
      if (!current) throw notFound('change request', id);
      const changes = compact({
        subject: subject === current.subject ? undefined : subject,
        status: status === current.status ? undefined : status,
      });
      if (changes.status !== undefined && current.status === 'merged') {
        throw new ApiError('conflict', 'The change request is merged: its status is final.');
      }
      if (Object.keys(changes).length === 0) return current;
      if (changes.status !== undefined) {
        await Space.updateOne(
          { _id: space },
          { $inc: statusCounters(current.status, changes.status) },
          { session },
        );
      }
      return changeRecord<ChangeRequestRecord>(
        ChangeRequest,
        current,
        { ...changes, updatedAt: new Date() },
        { session },
      );
    }),
  );
}
