import type { mongo } from 'mongoose';

/**
 * MongoDB's clock as this process knows it, for the times of inserted records. Queries and update pipelines use `$$NOW`.
 *
 * Each heartbeat tells the primary's time. When this process reads an answer late, the clock seems slower than it is, but never faster: so the fastest
 * of the last answers is the most accurate.
 */
const samplesKept = 6;
let samples: number[] = [];
let followed: mongo.MongoClient | undefined;

/** Follows the clock of the server that this process is connected to. */
export async function followDatabaseClock(client: mongo.MongoClient): Promise<void> {
  samples = [];
  followed = client;
  client.on('serverHeartbeatSucceeded', ({ reply, awaited, duration }: mongo.ServerHeartbeatSucceededEvent) => {
    // The server held this answer back until a change, and made it just now.
    if (reply['isWritablePrimary']) note(reply['localTime'], awaited ? 0 : duration);
  });
  const askedMs = performance.now();
  note(await databaseTime(), performance.now() - askedMs);
}

function note(serverTime: unknown, tookMs: number): void {
  if (!(serverTime instanceof Date)) return;
  samples = [...samples.slice(1 - samplesKept), serverTime.getTime() + tookMs / 2 - Date.now()];
}

/** Asks MongoDB for its time, for comparisons with times that `$$NOW` has set. */
export async function databaseTime(): Promise<Date> {
  if (!followed) throw new Error('connectMongo was not called.');
  const { localTime } = (await followed.db('admin').command({ hello: 1 })) as { localTime: Date };
  return localTime;
}

/** The time by MongoDB's clock, to a few milliseconds, without asking. */
export function databaseNow(): Date {
  return new Date(Date.now() + (samples.length > 0 ? Math.round(Math.max(...samples)) : 0));
}
