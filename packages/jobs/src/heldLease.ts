import type { JobRecord } from '@bindery/models';
import { renewLease } from './transitions.ts';

/** Why a run was aborted. `lost`: another run holds the job now, so this one writes nothing more. */
export type AbortReason = 'cancel' | 'deadline' | 'lost' | 'shutdown';

export type HeldLease = {
  /** Renews no more, and waits for the renewal under way: it would collide with the transaction that ends the run. */
  release(): Promise<void>;
};

/** Renews a run's lease three times in its length and watches its deadline, until released; aborts the run on what it learns. */
export function holdLease(job: JobRecord, { leaseMs, abort }: { leaseMs: number; abort(reason: AbortReason): void }): HeldLease {
  let heldUntilMs = performance.now() + leaseMs;
  let renewal: Promise<void> | undefined;
  const renew = async () => {
    const startedMs = performance.now();
    try {
      const answer = await renewLease(job._id, job.epoch, leaseMs);
      if (answer === 'lost') abort('lost');
      if (answer === 'cancelled') abort('cancel');
      heldUntilMs = startedMs + leaseMs;
    } catch {
      // MongoDB is away: the lease may run out without our knowing.
    } finally {
      renewal = undefined;
    }
  };
  const timer = setInterval(
    () => {
      if (performance.now() > heldUntilMs) abort('lost');
      renewal ??= renew();
    },
    Math.ceil(leaseMs / 3),
  );
  const deadline = job.deadlineAt && setTimeout(() => abort('deadline'), Math.max(0, job.deadlineAt.getTime() - Date.now()));
  return {
    async release() {
      clearInterval(timer);
      clearTimeout(deadline);
      await renewal;
    },
  };
}
