import type { mongo } from 'mongoose';
import { mongoClient } from './connection.ts';

/** An open transaction between two of its statements, as reported by `$currentOp`. */
type Idle = {
  lsid: { id: mongo.UUID };
  transaction: { parameters: { txnNumber: mongo.Long | number }; timeActiveMicros: mongo.Long | number };
};

/**
 * Aborts abandoned transactions, left open by a process that was killed or froze. MongoDB keeps them for a
 * minute, in which every write to one of their records waits, including a takeover.
 *
 * A process that was only slow runs its transaction again (`withTransaction`). Transactions of other programs
 * in the same MongoDB are not touched: they have another `appName` (connection.ts). Aborting one's own
 * sessions needs no privilege.
 *
 * @returns a function to call repeatedly: it aborts the transactions that were idle for `idleMs` across its
 *   calls, and returns their number
 */
export function watchTransactions(): (idleMs: number) => Promise<number> {
  // MongoDB reports the total time a transaction has worked and paused, not since when it is idle.
  let seen = new Map<string, { worked: number; sinceMs: number }>();
  return async (idleMs) => {
    const nowMs = performance.now();
    const idle = (await idleTransactions()).map(
      ({ lsid: { id }, transaction: { parameters, timeActiveMicros } }) => {
        const key = `${id.toString()}:${Number(parameters.txnNumber)}`;
        const worked = Number(timeActiveMicros);
        const before = seen.get(key);
        return { id, key, worked, sinceMs: before?.worked === worked ? before.sinceMs : nowMs };
      },
    );
    seen = new Map(idle.map(({ key, worked, sinceMs }) => [key, { worked, sinceMs }]));
    const abandoned = idle.filter(({ sinceMs }) => nowMs - sinceMs >= idleMs);
    if (abandoned.length > 0)
      await mongoClient()
        .db('admin')
        .command({ killSessions: abandoned.map(({ id }) => ({ id })) });
    return abandoned.length;
  };
}

/** Finds the idle transactions of all processes of this installation. */
async function idleTransactions(): Promise<Idle[]> {
  const client = mongoClient();
  return client
    .db('admin')
    .aggregate<Idle>(
      [
        { $currentOp: { idleSessions: true, allUsers: false } },
        { $match: { type: 'idleSession', appName: client.options.appName, transaction: { $exists: true } } },
        { $project: { lsid: 1, transaction: { parameters: { txnNumber: 1 }, timeActiveMicros: 1 } } },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
}
