import type { Job, Translation } from '@bindery/contract';
import { html, type Value } from '@bindery/html';
import { apiPath } from '@bindery/runtime';
import type { ListPage } from '../../api/api.ts';
import type { Visit } from '../../http/route.ts';
import { jobState, progressOf } from '../../layout/jobState.ts';
import { organizationApi } from '../organization/frame.ts';

/** The kind of the jobs that run translations. */
const kind = 'translation-run';
/** Of an organization, for a list of translations. */
const newest = 100;

const statuses: Record<Translation['status'], string> = {
  pending: 'has no result yet',
  running: 'is being translated',
  completed: 'has a result',
};

/** The state of a translation in words. */
export function statusOf({ status }: Translation): string {
  return statuses[status];
}

/** The newest runs of an organization, by translation. */
export async function newestRuns({ api, params }: Visit): Promise<ReadonlyMap<string, Job>> {
  const query = apiPath`${{ kind, limit: newest }}`;
  const { items } = await api.get<ListPage<Job>>(`${organizationApi(params)}/jobs${query}`);
  return new Map(items.toReversed().map((job) => [job.subject.id, job]));
}

/** The last run of a translation. */
export async function lastRunOf({ id }: Translation, { api, params }: Visit): Promise<Job | undefined> {
  const query = apiPath`${{ kind, subject: id, limit: 1 }}`;
  return (await api.get<ListPage<Job>>(`${organizationApi(params)}/jobs${query}`)).items[0];
}

/** A run with a link to its page, which follows it; its progress, or the reason of its failure. */
export function showRun(job: Job | undefined): Value {
  if (!job) return undefined;
  const { id, error } = job;
  return html`<a href="/jobs/${id}">${jobState(job)}</a> ${error ? html`<span class="bad">${error.message}</span> ${error.action}` : progressOf(job)}`;
}
