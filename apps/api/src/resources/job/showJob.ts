import type { Job } from '@bindery/contract';
import { explainWaiting, readLog, type ShownJob } from '@bindery/jobs';
import type { Links } from '../../presenters/links.ts';
import { presentJob } from './job.presenter.ts';

/** Presents a job with its log, and with the reason why it waits if it does. */
export async function showJob(job: ShownJob, links: Links): Promise<Job> {
  const [waiting, log] = await Promise.all([explainWaiting(job), readLog(job)]);
  return presentJob(job, { links, waiting, log });
}
