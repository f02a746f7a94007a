import type { mongo } from 'mongoose';
import { mongoClient } from './connection.ts';

/** An open transaction between two of its statements, as `$currentOp` tells of it. */
type Idle = {
  lsid: { id: mongo.UUID };
  transaction: { parameters: { txnNumber: mongo.Long | number }; timeActiveMicros: mongo.Long | number };
};

/**
 * Ends transactions that nobody goes on with: those of a process that was killed, or stands still, in the middle of one. MongoDB keeps them for a minute,
 * and until then every write to one of their records waits: a takeover, too.
 *
 * A process that was only slow runs its transaction again (`withTransaction`). Transactions of other programs in the same MongoDB stay: they have
 * another `appName` (connection.ts). No privilege is needed for one's own sessions.
 *
 * @returns a function to be called again and again: it ends the transactions in which nothing has happened for `idleMs` of its calls, and says how many
 */
export function watchTransactions(): (idleMs: number) => Promise<number> {
  // MongoDB tells how long a transaction has worked and has paused in all, not since when it pauses.
  let seen = new Map<string, { worked: number; sinceMs: number }>();
  return async (idleMs) => {
    const nowMs = performance.now();
    const idle = (await idleTransactions()).map(({ lsid: { id }, transaction: { parameters, timeActiveMicros } }) => {
      const key = `${id.toString()}:${Number(parameters.txnNumber)}`;
      const worked = Number(timeActiveMicros);
      const before = seen.get(key);
      return { id, key, worked, sinceMs: before?.worked === worked ? before.sinceMs : nowMs };
    });
    seen = new Map(idle.map(({ key, worked, sinceMs }) => [key, { worked, sinceMs }]));
    const abandoned = idle.filter(({ sinceMs }) => nowMs - sinceMs >= idleMs);
    if (abandoned.length > 0)
      await mongoClient()
        .db('admin')
        .command({ killSessions: abandoned.map(({ id }) => ({ id })) });
    return abandoned.length;
  };
}

/** Those of all processes of this installation. */
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
