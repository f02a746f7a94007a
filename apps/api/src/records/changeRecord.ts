import { notFound } from '@bindery/contract';
import { singleWrite, type ClientSession } from '@bindery/models';
import { settingOf } from './givenFields.ts';

type Versioned = { _id: string; version?: number };

/** The parts of a mongoose model used here. */
type Changeable = {
  modelName: string;
  findOneAndUpdate(
    filter: object,
    update: object,
    options: object,
  ): { session(session: ClientSession | null): { lean(): PromiseLike<unknown> } };
};

/**
 * Writes fields of a loaded record and increments its version; `undefined` removes a field.
 *
 * Writes only the given fields, so that callers who change different fields do not undo each other. Without
 * fields nothing is written, and the version stays the same.
 * @returns the updated record
 * @throws not_found when the record no longer exists
 */
export async function changeRecord<R extends Versioned>(
  model: Changeable,
  record: R,
  fields: { [K in keyof R]?: R[K] | undefined },
  { session }: { session?: ClientSession } = {},
): Promise<R> {
  if (Object.keys(fields).length === 0) return record;
  const update = { ...settingOf(fields), $inc: { version: 1 } };
  const write = async (within: ClientSession | undefined) =>
    model
      .findOneAndUpdate({ _id: record._id }, update, { returnDocument: 'after' })
      .session(within ?? null)
      .lean();
  const changed = await (session ? write(session) : singleWrite(write));
  if (changed) return changed as R;
  throw notFound(model.modelName.replace(/\B[A-Z]/g, ' $&').toLowerCase(), record._id);
}
