import { withTransaction, type ClientSession } from '../database/connection.ts';
import { lockTree } from './refreshAccess.ts';
import { serialized } from '../database/serialized.ts';

/**
 * Runs a transaction that changes an organization's tree of collections or its access rules. Transactions of
 * one organization run one at a time.
 *
 * Must not be nested: the inner call would wait for the outer one.
 * @param organizations  several when an object moves between them
 * @param work  may run more than once, so it must have no other effects
 */
export async function changeTree<T>(
  organizations: string | readonly string[],
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  // Sorted, so that two calls never deadlock.
  const ids = [...new Set([organizations].flat())].toSorted();
  const transaction = () =>
    withTransaction(async (session) => {
      for (const id of ids) await lockTree(id, session);
      return work(session);
    });
  return ids.reduceRight<() => Promise<T>>(
    (inner, id) => () => serialized(`tree:${id}`, inner),
    transaction,
  )();
}
