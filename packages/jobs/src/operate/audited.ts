import { ApiError } from '@bindery/contract';
import { databaseNow, OperatorAction, type OperatorActionRecord } from '@bindery/models';
import { newId, type Logger } from '@bindery/runtime';

const keptDays = 400;

/**
 * Does what an operator asked for, and leaves a record and a log line of it, also when it is refused.
 *
 * @param asked  the action; `operator` is the id of a user, or `cli:<user of the machine>`
 * @throws what `act` throws
 */
export async function audited<T>(
  asked: Pick<OperatorActionRecord, 'operator' | 'action' | 'target'>,
  act: () => Promise<T>,
  { logger }: { logger?: Logger } = {},
): Promise<T> {
  const _id = newId();
  const at = databaseNow();
  await OperatorAction.create({
    ...asked,
    _id,
    at,
    expireAt: new Date(at.getTime() + keptDays * 86_400_000),
  });
  const end = async (outcome: string) => {
    logger?.info({ ...asked, outcome }, 'an operator acted');
    await OperatorAction.updateOne({ _id }, { $set: { outcome } });
  };
  try {
    const result = await act();
    await end('done');
    return result;
  } catch (error) {
    await end(error instanceof ApiError ? error.message : 'failed').catch(() => {});
    throw error;
  }
}
