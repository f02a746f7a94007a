import type { JobRecord } from '@bindery/models';
import { startSpan, withinSpan } from '@bindery/tracing';
import type { AttemptOutcome } from '../queue/pipeline.ts';

/** The end of a run as metrics and traces name it; `lost` wrote nothing, because another run has the job. */
export type RunOutcome = AttemptOutcome | 'lost';

const isFailure: Record<RunOutcome, boolean> = {
  succeeded: false,
  superseded: false,
  cancelled: false,
  handed_back: false,
  lost: true,
  failed: true,
  retried: true,
  crashed: true,
  timed_out: true,
};

/** The spans of one run: one for the run itself, one for each of its stages, and one for its wait. */
export type TracedRun = {
  /** Runs code whose own spans belong to the run. */
  within<Result>(work: () => Result): Result;
  /** Ends the span of the last stage, and starts that of the next. */
  stage(name: string): void;
  end(outcome: RunOutcome): void;
};

/** Starts the spans of a run, in the trace of the request that started the job. */
export function traceRun(job: JobRecord): TracedRun {
  const { _id, kind, organization, epoch, traceparent, createdAt, startedAt } = job;
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.message.id': _id,
    'bindery.job.kind': kind,
    'bindery.organization': organization,
    'bindery.job.run': epoch,
  };
  if (epoch === 1)
    startSpan(`wait ${kind}`, { parent: traceparent, startedAt: createdAt, attributes })?.end({
      at: startedAt,
    });
  const run = startSpan(`job ${kind}`, { kind: 'consumer', parent: traceparent, attributes });
  let stage: { name: string; span: ReturnType<typeof startSpan> } | undefined;
  const endStage = () => stage?.span?.end();
  return {
    within: (work) => withinSpan(run, work),
    stage: (name) => {
      if (!run || stage?.name === name) return;
      endStage();
      stage = { name, span: startSpan(name, { parent: run.traceparent }) };
    },
    end: (outcome) => {
      endStage();
      run?.set({ 'bindery.job.outcome': outcome });
      run?.end({ error: isFailure[outcome] ? outcome : undefined });
    },
  };
}
