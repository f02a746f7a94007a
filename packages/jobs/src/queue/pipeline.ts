import {
  writtenLogLines,
  type jobCollection,
  type JobErrorRecord,
  type JobLogLine,
  type JobRecord,
} from '@bindery/models';

/**
 * Parts of the update pipelines that write jobs: they use MongoDB's clock and the present values of the
 * document.
 */

export type JobFilter = Parameters<ReturnType<typeof jobCollection>['findOneAndUpdate']>[0];

/** The most lines kept of a job's log; the oldest are dropped first. */
export const maxLogLines = 1_000;

export const now = '$$NOW';

/** @param amountMs  milliseconds, or the field that holds them */
export function after(amountMs: number | `$${string}`) {
  const amount = typeof amountMs === 'number' ? Math.round(amountMs) : amountMs;
  return { $dateAdd: { startDate: now, unit: 'millisecond', amount } };
}

/** Leaves undefined properties of a run's reports out; the driver would store them as null. */
export const withoutUndefined = { ignoreUndefined: true } as const;

/** Matches a run whose worker did not renew its lease in time. */
export const isLeaseOver = { $expr: { $lt: ['$leaseUntil', now] } };

export type AttemptOutcome = NonNullable<JobRecord['attempts'][number]['outcome']>;

/** The outcome of an attempt, and its error. */
export type AttemptEnd = { outcome: AttemptOutcome; error?: JobErrorRecord };

/**
 * Returns all attempts with the present one ended.
 *
 * @param end  an AttemptEnd: literal, because a message may begin with a dollar sign; or the field that holds
 *   it
 */
export function attemptsEnded(end: { $literal: AttemptEnd } | `$${string}`) {
  const ended = { $mergeObjects: ['$$this', { endedAt: now }, end] };
  return {
    $map: { input: '$attempts', in: { $cond: [{ $eq: ['$$this.epoch', '$epoch'] }, ended, '$$this'] } },
  };
}

/** Unwritten reports of a run. `logDropped` counts the lines left out of `log`. */
export type Report = {
  progress?: JobRecord['progress'];
  stats?: Record<string, number>;
  log: Omit<JobLogLine, 'seq'>[];
  logDropped: number;
};

/** For writes `withoutUndefined`: what is not reported stays as it is. */
export function reportFields({ progress, stats }: Pick<Report, 'progress' | 'stats'>) {
  return { progress: progress && { $literal: progress }, stats: stats && { $literal: stats } };
}

/** Computes the log's counts after more lines: lines written, and lines dropped so far. */
export function logCounts({ log, logDropped }: Pick<Report, 'log' | 'logDropped'>) {
  const overflow = (written: unknown) => ({ $max: [0, { $subtract: [written, maxLogLines] }] });
  const written = { $add: [writtenLogLines, log.length] };
  return {
    logLines: written,
    logSeq: { $add: ['$seq', 1] },
    logDropped: {
      $add: ['$logDropped', logDropped, { $subtract: [overflow(written), overflow(writtenLogLines)] }],
    },
  };
}

/** Picks each job's own value in an update of several jobs, by the position of its id. */
export function ofEach<Item extends { id: string }>(
  items: readonly Item[],
  valueOf: (item: Item) => unknown,
) {
  const [ids, values] = [items.map(({ id }) => id), items.map(valueOf)];
  return { $arrayElemAt: [{ $literal: values }, { $indexOfArray: [{ $literal: ids }, '$_id'] }] };
}

/** Matches those of the jobs that have not been dispatched again since. */
export function isOfDispatch(jobs: readonly { id: string; dispatch: number }[]) {
  return { $expr: { $eq: ['$dispatch', ofEach(jobs, ({ dispatch }) => dispatch)] } };
}
