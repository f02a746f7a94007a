import type { Job } from '@bindery/contract';
import type { ShownJob, Waiting } from '@bindery/jobs';
import type { JobLogLine } from '@bindery/models';
import type { Links } from '../../presenters/links.ts';
import { shownState } from './shownState.ts';

/**
 * @param waiting  the reason why the job does not run yet
 * @param log      the lines of its log, for answers that show them
 */
export function presentJob(
  job: ShownJob,
  { links, waiting, log }: { links: Links; waiting?: Waiting | undefined; log?: readonly JobLogLine[] },
): Job {
  return {
    object: 'job',
    id: job._id,
    kind: job.kind,
    state: shownState(job),
    organization: job.organization,
    subject: { type: job.subject.type, id: job.subject.id },
    progress: job.progress,
    attempts: job.attempts.map(({ startedAt, endedAt, ...attempt }) => ({
      ...attempt,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString(),
    })),
    position: waiting?.position,
    waiting: waiting && {
      reason: waiting.reason,
      message: waiting.message,
      until: waiting.until?.toISOString(),
    },
    error: job.error,
    result: job.result,
    stats: job.stats,
    log: log?.map(presentLogLine),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString(),
    finishedAt: job.finishedAt?.toISOString(),
    urls: { location: links.api(`/jobs/${job._id}`), events: links.api(`/jobs/${job._id}/events`) },
  };
}

export function presentLogLine({ at, level, message, path }: JobLogLine): NonNullable<Job['log']>[number] {
  return { at: at.toISOString(), level, message, path };
}
