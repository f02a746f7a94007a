import { Id, notFound } from '@bindery/contract';
import { root } from '../../http/scope.ts';
import { qualified } from '../../permissions/role.ts';
import { findVisibleJob } from './findVisibleJob.ts';

/**
 * A job whose subject the caller may see. Controlling it requires the permission that the job names, or to
 * have started it if that needed less: others may wait for the same PDF.
 */
export const inJob = root.scope({
  name: 'Job',
  path: '/jobs/:jobId',
  params: { jobId: Id },
  load: async ({ actor, params }) => {
    const found = await findVisibleJob(actor, params.jobId);
    if (!found) throw notFound('job', params.jobId);
    const { job, granted } = found;
    const hasStarted = job.starterControls === true && job.startedBy === actor.user.id;
    return { job, seesSubject: true, mayControl: hasStarted || (granted[job.permission] ?? false) };
  },
  permissions: ({ seesSubject, mayControl }) => qualified('job', { view: seesSubject, control: mayControl }),
});
