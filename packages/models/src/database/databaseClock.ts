import type { mongo } from 'mongoose';

/**
 * MongoDB's clock as known to this process, for the times of inserted records. Queries and update pipelines
 * use `$$NOW`.
 *
 * Each heartbeat reports the primary's time. When this process reads an answer late, the clock seems slow,
 * but never fast, so the fastest of the last answers is the most accurate.
 */
const samplesKept = 6;
let samples: number[] = [];
let followed: mongo.MongoClient | undefined;

/** Follows the clock of the connected server. */
export async function followDatabaseClock(client: mongo.MongoClient): Promise<void> {
  samples = [];
  followed = client;
  client.on(
    'serverHeartbeatSucceeded',
    ({ reply, awaited, duration }: mongo.ServerHeartbeatSucceededEvent) => {
      // The server held this answer back until a change, and sent it just now.
      if (reply['isWritablePrimary']) note(reply['localTime'], awaited ? 0 : duration);
    },
  );
  const askedMs = performance.now();
  note(await databaseTime(), performance.now() - askedMs);
}

function note(serverTime: unknown, tookMs: number): void {
  if (!(serverTime instanceof Date)) return;
  samples = [...samples.slice(1 - samplesKept), serverTime.getTime() + tookMs / 2 - Date.now()];
}

/** Reads MongoDB's time, for comparisons with times set by `$$NOW`. */
export async function databaseTime(): Promise<Date> {
  if (!followed) throw new Error('connectMongo was not called.');
  const { localTime } = (await followed.db('admin').command({ hello: 1 })) as { localTime: Date };
  return localTime;
}

/** Returns MongoDB's time, to a few milliseconds, without a query. */
export function databaseNow(): Date {
  return new Date(Date.now() + (samples.length > 0 ? Math.round(Math.max(...samples)) : 0));
}
