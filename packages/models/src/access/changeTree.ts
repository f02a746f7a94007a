import { withTransaction, type ClientSession } from '../database/connection.ts';
import { lockTree } from './refreshAccess.ts';
import { serialized } from '../database/serialized.ts';

/**
 * Runs a transaction that changes an organization's tree of collections, or who may do what in it; no two of one organization run at the same time.
 *
 * Not to be called within itself: the inner one would wait for the outer one.
 * @param organizations  more than one where something moves between them
 * @param work           may run more than once, so it must have no other effects
 */
export async function changeTree<T>(organizations: string | readonly string[], work: (session: ClientSession) => Promise<T>): Promise<T> {
  // Always in the same order, so that two of them never wait for each other.
  const ids = [...new Set([organizations].flat())].toSorted();
  const transaction = () =>
    withTransaction(async (session) => {
      for (const id of ids) await lockTree(id, session);
      return work(session);
    });
  return ids.reduceRight<() => Promise<T>>((inner, id) => () => serialized(`tree:${id}`, inner), transaction)();
}
