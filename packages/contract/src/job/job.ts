import { z } from 'zod';
import { GitChanges } from '../space/gitChanges.ts';
import { GitMerge } from '../space/gitMerge.ts';
import { jobErrorClasses, jobErrorCodes } from './jobErrors.ts';

/** The stored states of a job. */
export const jobStates = [
  'accepted',
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'superseded',
] as const;
export type JobState = (typeof jobStates)[number];

/** The states that a job never leaves by itself. */
export const finalJobStates = [
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'superseded',
] as const satisfies readonly JobState[];

export function isFinal(state: JobState): boolean {
  return (finalJobStates as readonly JobState[]).includes(state);
}

const JobError = z
  .object({
    class: z.enum(jobErrorClasses),
    code: z.enum(Object.keys(jobErrorCodes) as [keyof typeof jobErrorCodes]),
    message: z.string(),
    action: z.string().optional(),
  })
  .meta({ id: 'JobError' });

/**
 * A job as the API shows it. `retrying` and `cancelling` are not stored but derived from `runAfter` and
 * `cancelRequestedAt`.
 */
export const Job = z
  .object({
    object: z.literal('job'),
    id: z.string(),
    kind: z.string(),
    state: z.enum([...jobStates, 'retrying', 'cancelling']),
    organization: z.string(),
    subject: z.object({ type: z.string(), id: z.string() }),
    permissions: z
      .object({ control: z.boolean() })
      .optional()
      .describe('Whether the caller may cancel it or run it again; in the answer for a single job.'),
    progress: z
      .object({ stage: z.string(), done: z.number().optional(), total: z.number().optional() })
      .optional(),
    attempts: z.array(
      z.object({
        epoch: z.number(),
        worker: z.string(),
        startedAt: z.iso.datetime(),
        endedAt: z.iso.datetime().optional(),
        outcome: z
          .enum([
            'succeeded',
            'failed',
            'retried',
            'crashed',
            'cancelled',
            'timed_out',
            'superseded',
            'handed_back',
          ])
          .optional(),
        error: JobError.optional(),
      }),
    ),
    position: z.number().optional(),
    waiting: z
      .object({
        reason: z.enum(['queue', 'lane', 'retry', 'no_worker', 'version', 'dispatch', 'paused', 'limit']),
        message: z.string(),
        until: z.iso.datetime().optional(),
      })
      .optional()
      .describe(
        'Why it has not started. `no_worker` also applies while its worker fails and restarts; `paused`: an operator has paused jobs of its kind; `limit`: as many jobs of its kind run as may run.',
      ),
    error: JobError.optional(),
    result: z
      .looseObject({
        changes: GitChanges.optional().describe(
          'Of a dry run of git sync: what would change. Lists of jobs leave it out.',
        ),
        merge: GitMerge.optional().describe(
          'Of a git sync whose branch and space had both changed. Lists of jobs leave it out.',
        ),
      })
      .optional(),
    stats: z.record(z.string(), z.number()),
    log: z
      .array(
        z.object({
          at: z.iso.datetime(),
          level: z.enum(['info', 'warning', 'error']),
          message: z.string(),
          path: z.string().optional(),
        }),
      )
      .optional()
      .describe('The newest thousand lines. Lists of jobs leave it out.'),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().optional(),
    finishedAt: z.iso.datetime().optional(),
    urls: z.object({ location: z.string(), events: z.string() }),
  })
  .meta({ id: 'Job' });
export type Job = z.infer<typeof Job>;
