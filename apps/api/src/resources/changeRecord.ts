import type { ClientSession } from '@bindery/models';
import { changedMeanwhile, type Reply } from '../http/reply.ts';
import { notFound } from '@bindery/contract';

type Versioned = { _id: string; version?: number };

/** The part of a mongoose model that this needs. */
type Changeable = {
  modelName: string;
  findOneAndUpdate(
    filter: object,
    update: object,
    options: object,
  ): { session(session: ClientSession | null): { lean(): PromiseLike<unknown> } };
};

/**
 * Writes fields of a record that was loaded, and counts its version; `undefined` removes a field.
 *
 * Only the given fields are written, so two callers who change different ones do not undo each other; a caller who sent `If-Match` changes only
 * the state that it has seen. Without any field nothing is written, and what others have seen stays the present state.
 * @returns the record as it is now
 * @throws precondition_failed when it changed since the state that `If-Match` names; not_found when it is gone
 */
export async function changeRecord<R extends Versioned>(
  model: Changeable,
  record: R,
  fields: { [K in keyof R]?: R[K] | undefined },
  { reply, session }: { reply?: Reply; session?: ClientSession } = {},
): Promise<R> {
  const entries = Object.entries(fields);
  const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const unset = Object.fromEntries(entries.filter(([, value]) => value === undefined).map(([name]) => [name, 1]));
  const expected = reply?.expect({ version: record.version ?? 1 }) ?? {};
  if (entries.length === 0) return record;
  const changed = await model
    .findOneAndUpdate(
      { _id: record._id, ...expected },
      {
        ...(Object.keys(set).length > 0 && { $set: set }),
        ...(Object.keys(unset).length > 0 && { $unset: unset }),
        $inc: { version: 1 },
      },
      { returnDocument: 'after' },
    )
    .session(session ?? null)
    .lean();
  if (changed) return changed as R;
  if ('version' in expected) throw changedMeanwhile();
  throw notFound(model.modelName.replace(/\B[A-Z]/g, ' $&').toLowerCase(), record._id);
}
