import { setTimeout as delay } from 'node:timers/promises';
import { isDuplicateKey, Lease } from '@bindery/models';
import { newId, type Logger } from '@bindery/runtime';

/**
 * Takes or renews the leadership that only one process may have, by MongoDB's clock.
 *
 * @returns whether `holder` leads for the next `leaseMs`
 */
export async function takeLeadership(name: string, holder: string, leaseMs: number): Promise<boolean> {
  // An upsert may not compare with the clock in its filter, so the update itself decides.
  const isFree = {
    $or: [
      { $eq: ['$holder', { $literal: holder }] },
      { $lt: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] },
    ],
  };
  // MongoDB adds only whole milliseconds.
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: Math.ceil(leaseMs) } };
  try {
    const lease = await Lease.findOneAndUpdate(
      { _id: name },
      [
        {
          $set: {
            holder: { $cond: [isFree, { $literal: holder }, '$holder'] },
            until: { $cond: [isFree, until, '$until'] },
          },
        },
      ],
      { upsert: true, updatePipeline: true, returnDocument: 'after' },
    ).lean();
    return lease?.holder === holder;
  } catch (error) {
    // Two processes created the lease at the same moment.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Leads for as long as it is asked: takes the leadership, and renews it only once a third of the lease is
 * over. A sweep asks before each of its twenty parts; a write each time was most of what an idle platform
 * did.
 *
 * @returns a function that says whether `holder` leads
 */
export function holdLeadership(name: string, holder: string, leaseMs: number): () => Promise<boolean> {
  let heldUntilMs = -Infinity;
  return async () => {
    const nowMs = performance.now();
    if (nowMs < heldUntilMs) return true;
    const isHeld = await takeLeadership(name, holder, leaseMs);
    heldUntilMs = isHeld ? nowMs + leaseMs / 3 : -Infinity;
    return isHeld;
  };
}

/** Gives up the leadership, so that the next process need not wait for the lease to end. */
export async function releaseLeadership(name: string, holder: string): Promise<void> {
  await Lease.deleteOne({ _id: name, holder }).catch(() => {});
}

/** One turn of the leading process. */
export type Turn = {
  /** Keeps the leadership. @returns whether this process still leads; also false when it is about to stop */
  lead: () => Promise<boolean>;
  /** Aborted when the process stops. */
  signal: AbortSignal;
};

/**
 * Repeats work in one process at a time. Any number of processes may call it; when the leader stops, another
 * takes over.
 *
 * @param name  of the leadership
 * @param leaseMs  after which another process takes over from one that died
 * @param pauseMs  between two turns; varied by up to a fifth, so that several processes do not check at the
 *   same moment
 * @param pausesFirst  whether the first turn comes after a pause, because a process that just started has
 *   more urgent work
 * @param turn  returns true when there is more to do immediately; its errors are logged
 * @param failure  the log message for these errors
 * @returns a function that stops it and gives up the leadership
 */
export function leadInTurns(
  name: string,
  options: {
    leaseMs: number;
    pauseMs: number;
    pausesFirst?: boolean;
    turn: (turn: Turn) => Promise<boolean | void>;
    logger: Logger;
    failure: string;
  },
): () => Promise<void> {
  const { leaseMs, pauseMs, pausesFirst = false, turn, logger, failure } = options;
  const holder = newId();
  const stopping = new AbortController();
  const { signal } = stopping;
  const leads = holdLeadership(name, holder, leaseMs);
  const lead = async () => !signal.aborted && (await leads());
  const pause = async () =>
    delay(pauseMs * (0.8 + 0.4 * Math.random()), undefined, { signal }).catch(() => {});
  const run = async () => {
    if (pausesFirst) await pause();
    while (!signal.aborted) {
      let hasMore: boolean | void = false;
      try {
        if (await lead()) hasMore = await turn({ lead, signal });
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, failure);
      }
      if (!hasMore) await pause();
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await releaseLeadership(name, holder);
  };
}
