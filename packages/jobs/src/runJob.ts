import { JobError } from '@bindery/contract';
import { withTransaction, type JobErrorRecord, type JobRecord } from '@bindery/models';
import { faultPoint, type Logger } from '@bindery/runtime';
import { readInput, type JobDefinition } from './defineJob.ts';
import { Superseded, type Outcome, type Run } from './processor.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { classify, decideRetry, maxCrashes } from './retry.ts';
import { afterRun, endRun, renewLease, requeueRun, writeCheckpoint, type Ending } from './transitions.ts';

/** Why a run was aborted. `lost`: another run holds the job now, so this one writes nothing more. */
export type AbortReason = 'cancel' | 'deadline' | 'lost' | 'shutdown';

class Aborted extends Error {
  readonly reason: AbortReason;
  constructor(reason: AbortReason) {
    super(`The run was aborted: ${reason}.`);
    this.reason = reason;
  }
}

/** How long a processor may take to follow an abort; after that its run is settled without it. */
const abortPatienceMs = 8_000;

export type AnyProcessor = (input: never, run: Run) => Promise<Outcome<Record<string, unknown>>>;

/** A run that this process holds, as its worker sees it. */
export type ActiveRun = { job: JobRecord; abort(reason: AbortReason): void; done: Promise<void> };

/**
 * Runs a claimed job to its end: holds its lease, runs the processor, and settles what became of it.
 *
 * Never throws: what goes wrong becomes the job's state, and when even that cannot be written, the lease ends and another worker takes over.
 */
export function runJob(job: JobRecord, { definition, processor, leaseMs, logger }: { definition: JobDefinition; processor: AnyProcessor; leaseMs: number; logger: Logger }): ActiveRun {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => {
    if (!controller.signal.aborted) controller.abort(new Aborted(reason));
  };
  const reporter = createReporter(job, { onLost: () => abort('lost') });
  const release = holdLease(job, { leaseMs, abort });
  const run: Run = {
    job,
    signal: controller.signal,
    logger,
    progress: reporter.progress,
    log: reporter.log,
    stats: reporter.stats,
    checkpoint: async (value) => {
      if (!(await writeCheckpoint(job._id, job.epoch, value))) {
        abort('lost');
        throw controller.signal.reason;
      }
    },
  };
  const work = async () => {
    await faultPoint('job.claimed');
    if (job.crashes >= maxCrashes) throw quarantine(job);
    if (job.cancelRequestedAt) abort('cancel');
    controller.signal.throwIfAborted();
    const input = readInput(definition, job.version, job.input);
    return processor(input as never, run);
  };
  const done = settle(job, { work, controller, reporter, release, definition, logger })
    .catch((error: unknown) => logger.error({ err: error, job: job._id }, 'a run could not be settled; its lease will end'))
    .finally(release);
  return { job, abort, done };
}

function quarantine(job: JobRecord): JobError {
  return new JobError('quarantined', `The job has ended ${job.crashes} worker processes and is not tried again.`, {
    action: 'Look into the worker logs for this job; retry it once the cause is removed.',
  });
}

type Settling = {
  work: () => Promise<Outcome<Record<string, unknown>>>;
  controller: AbortController;
  reporter: Reporter;
  release: () => void;
  definition: JobDefinition;
  logger: Logger;
};

async function settle(job: JobRecord, settling: Settling): Promise<void> {
  const { controller, reporter, release, definition, logger } = settling;
  let outcome: Outcome<Record<string, unknown>>;
  try {
    outcome = await orAborted(settling.work(), controller.signal);
    controller.signal.throwIfAborted();
    await reporter.stop();
    // From here on the lease is not renewed: its write would collide with the transaction.
    release();
    await succeed(job, outcome, settling);
  } catch (error) {
    release();
    await reporter.stop();
    await fail(job, error, { controller, reporter, definition, logger });
  }
  await afterRun(job);
}

async function succeed(job: JobRecord, outcome: Outcome<Record<string, unknown>>, { reporter, definition }: Settling): Promise<void> {
  if (outcome.state === 'superseded') {
    if (!(await endRun(job, superseded(outcome.message, reporter)))) throw new Aborted('lost');
    return;
  }
  const ending: Ending = { state: 'succeeded', result: definition.result.parse(outcome.result), report: reporter.take() };
  const { publish } = outcome;
  await faultPoint('job.finishing');
  if (!publish) {
    if (!(await endRun(job, ending))) throw new Aborted('lost');
  } else {
    await withTransaction(async (session) => {
      await publish(session);
      if (!(await endRun(job, ending, session))) throw new Aborted('lost');
    });
  }
  await faultPoint('job.finished');
}

function superseded(message: string, reporter: Reporter): Ending {
  return { state: 'superseded', error: { class: 'invalid', code: 'superseded', message }, report: reporter.take() };
}

async function fail(job: JobRecord, thrown: unknown, { controller, reporter, definition, logger }: Pick<Settling, 'controller' | 'reporter' | 'definition' | 'logger'>): Promise<void> {
  const report = reporter.take();
  const aborted = reasonOf(thrown, controller.signal);
  if (thrown instanceof Superseded) {
    await endRun(job, { state: 'superseded', error: { class: 'invalid', code: 'superseded', message: thrown.message }, report });
    return;
  }
  if (aborted === 'lost') {
    // A success is also refused when a cancel came in before the last write; then the run is still ours to end.
    if ((await renewLease(job._id, job.epoch, 5_000)) === 'cancelled') await endRun(job, { ...cancelled, report });
    return;
  }
  if (aborted === 'cancel') {
    await endRun(job, { ...cancelled, report });
    return;
  }
  if (aborted === 'deadline') {
    await endRun(job, { state: 'timed_out', error: deadlineError, report });
    return;
  }
  if (aborted === 'shutdown') {
    await requeueRun(job, { delayMs: 0, attempt: { outcome: 'handed_back' }, report });
    return;
  }
  const failure = classify(thrown);
  logger.warn({ err: thrown, job: job._id, kind: job.kind, code: failure.error.code }, 'a run failed');
  const decision = decideRetry(failure, job, definition.retry);
  if (decision.retry && !(job.deadlineAt && Date.now() + decision.delayMs > job.deadlineAt.getTime())) {
    await requeueRun(job, { delayMs: decision.delayMs, attempt: { outcome: 'retried', error: failure.error }, counts: decision.counts, report });
    return;
  }
  await endRun(job, { state: 'failed', error: failure.error, report });
}

const cancelled = { state: 'cancelled' } as const satisfies Ending;

const deadlineError: JobErrorRecord = {
  class: 'transient',
  code: 'deadline',
  message: 'The job took longer than it may and was stopped.',
  action: 'Retry it; when that does not help, make the work smaller or raise its time limit.',
};

function reasonOf(thrown: unknown, signal: AbortSignal): AbortReason | undefined {
  if (thrown instanceof Aborted) return thrown.reason;
  // Whatever a processor throws after an abort is a consequence of it.
  return signal.aborted && signal.reason instanceof Aborted ? signal.reason.reason : undefined;
}

/** The work's own end; or, when it does not follow an abort in time, the abort. The fence keeps what it still does without effect. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), abortPatienceMs).unref(), { once: true });
  });
}

/** Renews the lease until released, and aborts the run on what it learns. */
function holdLease(job: JobRecord, { leaseMs, abort }: { leaseMs: number; abort(reason: AbortReason): void }): () => void {
  let heldUntilMs = performance.now() + leaseMs;
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    const startedMs = performance.now();
    try {
      const answer = await renewLease(job._id, job.epoch, leaseMs);
      if (answer === 'lost') abort('lost');
      if (answer === 'cancelled') abort('cancel');
      heldUntilMs = startedMs + leaseMs;
    } catch {
      // MongoDB is away: the lease may run out without our knowing.
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => {
    if (performance.now() > heldUntilMs) abort('lost');
    if (job.deadlineAt && Date.now() > job.deadlineAt.getTime()) abort('deadline');
    void renew();
  }, Math.ceil(leaseMs / 3));
  return () => clearInterval(timer);
}
