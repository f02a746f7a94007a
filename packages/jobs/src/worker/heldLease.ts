import { databaseNow, type JobRecord } from '@bindery/models';
import { renewLease } from '../state/transitions.ts';

/**
 * Why a run was aborted. `lost`: another run holds the job, so this one writes nothing more; `fault`: the run
 * crashed its worker by an unhandled error.
 */
export type AbortReason = 'cancel' | 'deadline' | 'lost' | 'shutdown' | 'fault';

export type HeldLease = {
  /**
   * Renews once more, then stops until `resume`: a renewal would conflict with the transaction that ends the
   * run, which would have to restart. If that outlasts the lease, the run is still registered with its worker
   * (registerWorker.ts).
   */
  pause(): Promise<void>;
  resume(): void;
  /** Stops renewing, and waits for the renewal under way. */
  release(): Promise<void>;
};

/**
 * Renews a run's lease three times per lease length and watches its deadline, until released; aborts the run
 * when it is cancelled, overdue or lost.
 *
 * A late renewal, after an outage of MongoDB or a freeze of this process, aborts nothing: the run continues
 * unless another run has taken its job, which the next renewal finds out.
 */
export function holdLease(
  job: JobRecord,
  { leaseMs, abort }: { leaseMs: number; abort(reason: AbortReason): void },
): HeldLease {
  let renewal: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;
  const renew = async () => {
    try {
      const answer = await renewLease(job._id, job.epoch, leaseMs);
      if (answer === 'lost') abort('lost');
      if (answer === 'cancelled') abort('cancel');
    } catch {
      // MongoDB is away; the next renewal follows.
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
  const deadline =
    job.deadlineAt &&
    setTimeout(() => abort('deadline'), Math.max(0, job.deadlineAt.getTime() - databaseNow().getTime()));
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
