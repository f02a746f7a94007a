import { Id, notFound } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { qualified } from '../../permissions/role.ts';
import { findVisibleJob } from './findVisibleJob.ts';

/**
 * A job whose subject the caller may see. Controlling it requires the permission that starting it required.
 */
export const inJob = root.scope({
  name: 'Job',
  path: '/jobs/:jobId',
  params: { jobId: Id },
  load: async ({ actor, params }) => {
    const found = await findVisibleJob(actor, params.jobId);
    if (!found) throw notFound('job', params.jobId);
    const { job, granted } = found;
    return { job, seesSubject: true, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ seesSubject, mayControl }) => qualified('job', { view: seesSubject, control: mayControl }),
});
