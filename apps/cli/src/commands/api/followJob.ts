import { setTimeout as delay } from 'node:timers/promises';
import { isFinal, type Job, type JobState } from '@bindery/contract';
import { Refusal } from '../../refusal.ts';
import type { ApiAccess } from './apiAccess.ts';
import type { Progress } from './showProgress.ts';

const pollMs = 500;

/** The end of a job that did not succeed. */
export class FailedJob extends Refusal {
  /** The code of the job's error. */
  readonly code: string | undefined;

  constructor(message: string, fixes: readonly string[], { code }: { code: string | undefined }) {
    super(message, fixes);
    this.code = code;
  }
}

/**
 * Waits for the end of a job, and shows how far it is.
 *
 * @returns the ended job
 * @throws FailedJob when it ends otherwise than by success
 */
export async function followJob(
  api: ApiAccess,
  id: string,
  show: (progress: Progress) => void,
): Promise<Job> {
  for (;;) {
    const job = (await api.get(`/jobs/${id}`)) as unknown as Job;
    if (job.state === 'succeeded') {
      for (const { level, message, path } of job.log ?? [])
        if (level === 'warning') show({ note: path === undefined ? message : `${path}: ${message}` });
      return job;
    }
    if (isFinal(job.state as JobState)) {
      const { message = `The job is ${job.state}.`, action, code } = job.error ?? {};
      const fixes = [...(action === undefined ? [] : [action]), `Its id is ${id}.`];
      throw new FailedJob(message, fixes, { code });
    }
    if (job.waiting) show({ stage: job.waiting.message });
    else if (job.progress) show(job.progress);
    await delay(pollMs);
  }
}
