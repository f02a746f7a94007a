import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { jobCollection, type JobRecord } from '@bindery/models';
import { chunksOf } from '@bindery/runtime';
import { explainWaiting, type Waiting } from './explainWaiting.ts';

/** A job without its log, which `readLog` reads, and without the fields that only its runs need. */
export type ShownJob = Omit<JobRecord, 'input' | 'checkpoint'>;

/** The fields left out, as a projection; `log` is in records of an earlier version. */
export const shownJobFields = { input: 0, checkpoint: 0, log: 0 } as const;

/** A job at one `seq`, shared by all its followers in this process. */
export type JobSnapshot = {
  readonly job: ShownJob;
  /** Whether `waiting` was looked up; it is absent for a job that does not wait. */
  readonly isExplained: boolean;
  /** Why the job waited when it was read. */
  readonly waiting?: Waiting;
};

export type FollowedJobs = {
  /**
   * Yields the job, then again after each change; changes while the follower is busy are yielded as one. Ends
   * when `signal` aborts or the job is gone. An outage of MongoDB delays a change but ends nothing.
   *
   * @param since  a `seq` that the follower has seen: no older state is yielded
   * @param explains  whether the follower shows why the job waits, which takes two more queries
   */
  follow(
    id: string,
    signal: AbortSignal,
    options?: { since?: number; explains?: boolean },
  ): AsyncGenerator<JobSnapshot, void>;
  /** Reads a job again if it has followers. */
  noteChange(id: string): void;
  close(): void;
};

type Followed = {
  /** `gone` for a deleted job; `undefined` before the first read. */
  snapshot?: JobSnapshot | 'gone';
  /** The `seq` of the last read; it becomes the snapshot once the reason for waiting is known. */
  readSeq?: number | undefined;
  /** The number of followers that show why the job waits. */
  explaining: number;
  wake: Set<() => void>;
};

/** The longest delay before an unannounced change is seen. */
const pollMs = 500;
/** The most jobs in one query for jobs or for their `seq`. */
const batchSize = 500;
/** The number of jobs whose queue positions are counted at once. */
const explainedAtOnce = 8;

/**
 * Creates the set of jobs followed in this process. A changed job is read once for all its followers; one
 * query reads the `seq` of all followed jobs to find the changed ones.
 */
export function createFollowedJobs(): FollowedJobs {
  const jobs = new Map<string, Followed>();
  const changed = new Set<string>();
  const closing = new AbortController();
  let reading: Promise<void> | undefined;
  let polling: Promise<void> | undefined;

  const publish = (id: string, snapshot: JobSnapshot | 'gone') => {
    const followed = jobs.get(id);
    if (!followed || followed.snapshot === 'gone') return;
    // The reason for waiting may arrive after a later state.
    if (snapshot !== 'gone' && followed.snapshot && snapshot.job.seq < followed.snapshot.job.seq) return;
    followed.snapshot = snapshot;
    for (const wake of followed.wake) wake();
  };

  const publishWaiting = async (waiting: ShownJob[]) => {
    const explain = async () => {
      for (let job = waiting.pop(); job; job = waiting.pop()) {
        try {
          const why = await explainWaiting(job);
          publish(job._id, { job, isExplained: true, waiting: why });
        } catch {
          // The next poll reads it again.
          const followed = jobs.get(job._id);
          if (followed) followed.readSeq = undefined;
        }
      }
    };
    await Promise.all(Array.from({ length: explainedAtOnce }, explain));
  };

  const readChanged = async () => {
    while (changed.size > 0) {
      const ids = [...changed].slice(0, batchSize);
      for (const id of ids) changed.delete(id);
      const found = (await jobCollection()
        .find({ _id: { $in: ids } }, { projection: shownJobFields, batchSize })
        .toArray()) as ShownJob[];
      for (const { _id, seq } of found) {
        const followed = jobs.get(_id);
        if (followed) followed.readSeq = seq;
      }
      const isExplained = (job: ShownJob) => isWaiting(job) && (jobs.get(job._id)?.explaining ?? 0) > 0;
      for (const job of found) if (!isExplained(job)) publish(job._id, { job, isExplained: false });
      void publishWaiting(found.filter(isExplained));
      const there = new Set(found.map(({ _id }) => _id));
      for (const id of ids) if (!there.has(id)) publish(id, 'gone');
    }
  };
  const readSoon = () => {
    // Changes announced together cause one read. After a failed read the next poll reads again.
    reading ??= nextTurn()
      .then(readChanged)
      .catch(() => {})
      .finally(() => {
        reading = undefined;
        if (changed.size > 0) readSoon();
      });
  };
  const noteChange = (id: string) => {
    if (!jobs.has(id)) return;
    changed.add(id);
    readSoon();
  };

  const look = async () => {
    for (const batch of chunksOf([...jobs.keys()], batchSize)) {
      const found = await jobCollection()
        .find({ _id: { $in: batch } }, { projection: { seq: 1 }, batchSize })
        .toArray();
      const seqs = new Map(found.map(({ _id, seq }) => [_id, seq]));
      for (const id of batch) {
        const followed = jobs.get(id);
        if (
          followed &&
          followed.snapshot !== 'gone' &&
          (followed.readSeq === undefined || followed.readSeq !== seqs.get(id))
        )
          noteChange(id);
      }
    }
  };
  const poll = async () => {
    while (jobs.size > 0) {
      await delay(pollMs, undefined, { signal: closing.signal });
      await look().catch(() => {});
    }
  };
  const pollOn = () => {
    polling ??= poll()
      .catch(() => {})
      .finally(() => {
        polling = undefined;
        if (jobs.size > 0 && !closing.signal.aborted) pollOn();
      });
  };

  return {
    async *follow(id, signal, { since = 0, explains = false } = {}) {
      const followed: Followed = jobs.get(id) ?? { explaining: 0, wake: new Set() };
      jobs.set(id, followed);
      if (explains) followed.explaining += 1;
      const wanted = { since, explains };
      let woken = Promise.withResolvers<void>();
      const wake = () => woken.resolve();
      followed.wake.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      try {
        pollOn();
        let seen: JobSnapshot | undefined;
        if (!isWanted(followed.snapshot, wanted)) noteChange(id);
        while (!signal.aborted) {
          // Registered before the snapshot is read, so that a later change wakes the follower.
          woken = Promise.withResolvers<void>();
          const { snapshot } = followed;
          if (snapshot === 'gone') return;
          if (snapshot && snapshot !== seen && isWanted(snapshot, wanted)) {
            seen = snapshot;
            yield snapshot;
          } else {
            await woken.promise;
          }
        }
      } finally {
        signal.removeEventListener('abort', wake);
        followed.wake.delete(wake);
        if (explains) followed.explaining -= 1;
        if (followed.wake.size === 0 && jobs.get(id) === followed) jobs.delete(id);
      }
    },
    noteChange,
    close: () => closing.abort(),
  };
}

function isWaiting({ state }: ShownJob): boolean {
  return state === 'accepted' || state === 'queued';
}

function isWanted(
  snapshot: Followed['snapshot'],
  { since, explains }: { since: number; explains: boolean },
): boolean {
  if (snapshot === undefined || snapshot === 'gone') return snapshot === 'gone';
  return snapshot.job.seq >= since && (snapshot.isExplained || !explains || !isWaiting(snapshot.job));
}
