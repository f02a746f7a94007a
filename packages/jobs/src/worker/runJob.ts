import { AsyncLocalStorage } from 'node:async_hooks';
import { JobError } from '@bindery/contract';
import { jobFailures, jobRuns, jobWaits } from '@bindery/metrics';
import {
  databaseNow,
  Space,
  whileContentMoves,
  withTransaction,
  type ClientSession,
  type JobErrorRecord,
  type JobRecord,
  type SpaceRecord,
} from '@bindery/models';
import { faultPoint, type Logger } from '@bindery/runtime';
import { readInput, type JobDefinition } from '../definitions/defineJob.ts';
import { holdLease, type AbortReason, type HeldLease } from './heldLease.ts';
import { Superseded, type Outcome, type Run } from './processor.ts';
import { createReporter } from './reporter.ts';
import { together } from '../state/together.ts';
import { traceRun, type RunOutcome, type TracedRun } from './tracedRun.ts';
import { classify, decideRetry, maxCrashes, quarantined } from '../definitions/retry.ts';
import {
  afterRun,
  endRun,
  renewLease,
  requeueRun,
  writeCheckpoint,
  type Ending,
  type LastReport,
} from '../state/transitions.ts';

/** The job of the code that runs at the moment, also in callbacks and in the handler of unhandled errors. */
const jobAtWork = new AsyncLocalStorage<string>();

/** Returns the id of the job whose run the calling code is part of. */
export function findJobAtWork(): string | undefined {
  return jobAtWork.getStore();
}

class Aborted extends Error {
  readonly reason: AbortReason;
  constructor(reason: AbortReason) {
    super(`The run was aborted: ${reason}.`);
    this.reason = reason;
  }
}

/** How long a processor may take to react to an abort; after that its run is settled without it. */
const abortPatienceMs = 8_000;
/**
 * Shorter at shutdown: with the grace period before it, the process must end within the 30 seconds that most
 * supervisors allow.
 */
const shutdownPatienceMs = 2_000;

export type AnyProcessor = (input: never, run: Run) => Promise<Outcome<Record<string, unknown>>>;

/** A run held by this process, as seen by its worker. */
export type ActiveRun = { job: JobRecord; abort(reason: AbortReason): void; done: Promise<void> };

/**
 * Runs a claimed job to its end: holds its lease, runs the processor, and writes the outcome.
 *
 * Never throws: an error becomes the job's state; if that cannot be written either, the lease ends and
 * another worker takes over.
 */
export function runJob(
  job: JobRecord,
  {
    definition,
    processor,
    leaseMs,
    logger,
  }: { definition: JobDefinition; processor: AnyProcessor; leaseMs: number; logger: Logger },
): ActiveRun {
  const controller = new AbortController();
  const abort = (reason: AbortReason) => {
    if (!controller.signal.aborted) controller.abort(new Aborted(reason));
  };
  const reporter = createReporter(job, { onLost: () => abort('lost') });
  const lease = holdLease(job, { leaseMs, abort });
  const trace = traceRun(job);
  const ownLogger = logger.child({
    job: job._id,
    kind: job.kind,
    organization: job.organization,
    traceId: job.traceparent?.slice(3, 35),
  });
  const run: Run = {
    job,
    signal: controller.signal,
    logger: ownLogger,
    progress: (stage, ...counts) => {
      trace.stage(stage);
      reporter.progress(stage, ...counts);
    },
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
    if (job.crashes >= maxCrashes) throw quarantine(job.crashes);
    await faultPoint('job.claimed');
    if (job.cancelRequestedAt) abort('cancel');
    controller.signal.throwIfAborted();
    await requireOwner(job);
    const input = readInput(definition, job.version, job.input);
    return processor(input as never, run);
  };
  // Taken once: after a refused success, the next end writes the same report.
  let report: Promise<LastReport> | undefined;
  const settling = {
    work,
    controller,
    report: () => (report ??= reporter.stop()),
    lease,
    leaseMs,
    definition,
    logger: ownLogger,
    trace,
  };
  const done = jobAtWork
    .run(job._id, () => trace.within(() => settle(job, settling)))
    .catch((error: unknown) =>
      ownLogger.error({ err: error }, 'a run could not be settled; its lease will end'),
    )
    .then(() => lease.release());
  return { job, abort, done };
}

/**
 * Refuses a job accepted while its space was being transferred, because it still belongs to the old
 * organization.
 *
 * @throws JobError not_found
 */
async function requireOwner({ subject, space = subject.id, organization }: JobRecord): Promise<void> {
  const owner = await ownerOf(space);
  if (owner !== undefined && owner !== organization)
    throw new JobError('not_found', 'The space was transferred to another organization.', {
      action: 'Start a new job there.',
    });
}

/** Finds the organization of a space; jobs that start together share the query. */
const ownerOf = together(async (ids: string[]): Promise<(string | undefined)[]> => {
  const spaces = await Space.find({ _id: { $in: [...new Set(ids)] } }, { organization: 1 }).lean<
    Pick<SpaceRecord, '_id' | 'organization'>[]
  >();
  const owners = new Map(spaces.map(({ _id, organization }) => [_id, organization]));
  return ids.map((id) => owners.get(id));
});

function quarantine(crashes: number): JobError {
  const { code, message, action } = quarantined(crashes);
  return new JobError(code, message, { action });
}

type AnyOutcome = Outcome<Record<string, unknown>>;

type Settling = {
  work: () => Promise<AnyOutcome>;
  controller: AbortController;
  /** The run's unwritten reports. */
  report: () => Promise<LastReport>;
  lease: HeldLease;
  leaseMs: number;
  definition: JobDefinition;
  logger: Logger;
  trace: TracedRun;
};

async function settle(job: JobRecord, settling: Settling): Promise<void> {
  const startedAtMs = performance.now();
  const { kind } = job;
  if (job.epoch === 1 && job.startedAt)
    jobWaits.observe({ kind }, (job.startedAt.getTime() - job.createdAt.getTime()) / 1_000);
  const outcome = await runToEnd(job, settling);
  settling.trace.end(outcome);
  jobRuns.observe({ kind, outcome }, (performance.now() - startedAtMs) / 1_000);
  await afterRun(job);
}

async function runToEnd(job: JobRecord, settling: Settling): Promise<RunOutcome> {
  const { work, controller, lease } = settling;
  try {
    const outcome = await orAborted(work(), controller.signal);
    controller.signal.throwIfAborted();
    return await succeed(job, outcome, settling);
  } catch (error) {
    await lease.release();
    return fail(job, error, settling);
  }
}

async function succeed(job: JobRecord, outcome: AnyOutcome, settling: Settling): Promise<RunOutcome> {
  const { definition, report } = settling;
  if (outcome.state === 'superseded') {
    if (!(await endRun(job, superseded(outcome.message, await report())))) throw new Aborted('lost');
    return 'superseded';
  }
  const result = definition.result.parse(outcome.result);
  await faultPoint('job.finishing');
  if (outcome.publish) await publishAndEnd(job, { ...outcome, publish: outcome.publish, result }, settling);
  else if (!(await endRun(job, { state: 'succeeded', result, report: await report() })))
    throw new Aborted('lost');
  await faultPoint('job.finished');
  return 'succeeded';
}

type Published = {
  result: Record<string, unknown>;
  prepare?: () => Promise<void>;
  publish: (session: ClientSession) => Promise<void>;
};

/**
 * Writes the end of a run. Its lease is renewed up to the transaction, and again when the transaction must be
 * prepared anew.
 */
async function publishAndEnd(
  job: JobRecord,
  { result, prepare, publish }: Published,
  { controller: { signal }, report, lease }: Settling,
): Promise<void> {
  await whileContentMoves(async () => {
    signal.throwIfAborted();
    if (prepare) await orAborted(prepare(), signal);
    const ending: Ending = { state: 'succeeded', result, report: await report() };
    await lease.pause();
    signal.throwIfAborted();
    try {
      await withTransaction(async (session) => {
        await publish(session);
        if (!(await endRun(job, ending, session))) throw new Aborted('lost');
        await faultPoint('job.publishing');
      });
    } catch (error) {
      lease.resume();
      throw error;
    }
  });
}

function superseded(message: string, report: LastReport): Ending {
  return { state: 'superseded', error: { class: 'invalid', code: 'superseded', message }, report };
}

async function fail(
  job: JobRecord,
  thrown: unknown,
  { controller, leaseMs, definition, logger, ...settling }: Settling,
): Promise<RunOutcome> {
  const report = await settling.report();
  const aborted = reasonOf(thrown, controller.signal);
  if (thrown instanceof Superseded) {
    await endRun(job, superseded(thrown.message, report));
    return 'superseded';
  }
  if (aborted === 'lost') {
    // A success is also refused when a cancel was requested before the last write.
    if ((await renewLease(job._id, job.epoch, leaseMs)) !== 'cancelled') return 'lost';
    await endRun(job, { ...cancelled, report });
    return 'cancelled';
  }
  if (aborted === 'cancel') {
    await endRun(job, { ...cancelled, report });
    return 'cancelled';
  }
  if (aborted === 'deadline') {
    await endRun(job, { state: 'timed_out', error: deadlineError, report });
    return 'timed_out';
  }
  if (aborted === 'fault') {
    await settleFault(job, report);
    return 'crashed';
  }
  if (aborted === 'shutdown') {
    await requeueRun(job, { delayMs: 0, attempt: { outcome: 'handed_back' }, report });
    return 'handed_back';
  }
  // The reason for the cancel may also cause the failure: a deleted space is not found.
  if ((await renewLease(job._id, job.epoch, leaseMs)) === 'cancelled') {
    await endRun(job, { ...cancelled, report });
    return 'cancelled';
  }
  const failure = classify(thrown);
  logger.warn({ err: thrown, code: failure.error.code }, 'a run failed');
  const decision = decideRetry(failure, job, definition.retry);
  const isRetried =
    decision.retry &&
    !(job.deadlineAt && databaseNow().getTime() + decision.delayMs > job.deadlineAt.getTime());
  const { class: errorClass, code } = failure.error;
  jobFailures.add({ kind: job.kind, class: errorClass, code, retried: String(isRetried) });
  if (isRetried) {
    await requeueRun(job, {
      delayMs: decision.delayMs,
      attempt: { outcome: 'retried', error: failure.error },
      counts: decision.counts,
      report,
    });
    return 'retried';
  }
  await endRun(job, { state: 'failed', error: failure.error, report });
  return 'failed';
}

/** Settles the job as the sweeper would after a crash of this worker. */
async function settleFault(job: JobRecord, report: LastReport): Promise<void> {
  const crashes = job.crashes + 1;
  if (crashes >= maxCrashes) await endRun(job, { state: 'failed', error: quarantined(crashes), report });
  else
    await requeueRun(job, {
      delayMs: 0,
      attempt: { outcome: 'crashed', error: faultError },
      counts: 'crashes',
      report,
    });
}

const faultError: JobErrorRecord = {
  class: 'crash',
  code: 'crashed',
  message: 'The job caused an error that ended its worker.',
};

const cancelled = { state: 'cancelled' } as const satisfies Ending;

const deadlineError: JobErrorRecord = {
  class: 'transient',
  code: 'deadline',
  message: 'The job exceeded its time limit and was stopped.',
  action: 'Retry it; if that does not help, reduce the work or raise its time limit.',
};

function reasonOf(thrown: unknown, signal: AbortSignal): AbortReason | undefined {
  if (thrown instanceof Aborted) return thrown.reason;
  // Any error of a processor after an abort is a consequence of the abort.
  return signal.aborted && signal.reason instanceof Aborted ? signal.reason.reason : undefined;
}

/**
 * Settles with the work or, when it does not react to an abort in time, with the abort. The fence then makes
 * its later writes ineffective.
 */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    const giveUp = () => {
      const patienceMs =
        signal.reason instanceof Aborted && endsWorker(signal.reason.reason)
          ? shutdownPatienceMs
          : abortPatienceMs;
      setTimeout(() => reject(signal.reason), patienceMs).unref();
    };
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

function endsWorker(reason: AbortReason): boolean {
  return reason === 'shutdown' || reason === 'fault';
}
