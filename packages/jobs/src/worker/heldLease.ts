import { databaseNow, type JobRecord } from '@bindery/models';
import { renewLease } from '../state/transitions.ts';

/**
 * Why a run was aborted. `lost`: another run holds the job now, so this one writes nothing more; `fault`: it brought down its worker, by an error that
 * nobody handled.
 */
export type AbortReason = 'cancel' | 'deadline' | 'lost' | 'shutdown' | 'fault';

export type HeldLease = {
  /**
   * Renews once more and then no more until `resume`: a renewal would collide with the transaction that ends the run, which would have to begin
   * again. Should that take longer than the lease, the worker still says that it holds the run (registerWorker.ts).
   */
  pause(): Promise<void>;
  resume(): void;
  /** Renews no more, and waits for the renewal under way. */
  release(): Promise<void>;
};

/**
 * Renews a run's lease three times in its length and watches its deadline, until released; aborts the run on what it learns.
 *
 * A lease that could not be renewed in time, because MongoDB was away or this process stood still, aborts nothing: the run goes on unless another
 * one has its job, which the next renewal tells.
 */
export function holdLease(job: JobRecord, { leaseMs, abort }: { leaseMs: number; abort(reason: AbortReason): void }): HeldLease {
  let renewal: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;
  const renew = async () => {
    try {
      const answer = await renewLease(job._id, job.epoch, leaseMs);
      if (answer === 'lost') abort('lost');
      if (answer === 'cancelled') abort('cancel');
    } catch {
      // MongoDB is away: the next one follows.
    } finally {
      renewal = undefined;
    }
  };
  const stop = async () => {
    clearInterval(timer);
    await renewal;
  };
  const start = () => {
    if (!isReleased) timer = setInterval(() => void (renewal ??= renew()), Math.ceil(leaseMs / 3));
  };
  start();
  const deadline = job.deadlineAt && setTimeout(() => abort('deadline'), Math.max(0, job.deadlineAt.getTime() - databaseNow().getTime()));
  return {
    pause: async () => {
      await stop();
      await renew();
    },
    resume: start,
    release: async () => {
      isReleased = true;
      clearTimeout(deadline);
      await stop();
    },
  };
}
