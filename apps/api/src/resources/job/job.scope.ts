import { Id, notFound } from '@bindery/contract';
import { jobCollection } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { qualified } from '../../permissions/role.ts';
import { permissionsOnSubject } from './permissionsOnSubjects.ts';

/** A job, for whoever may see what it is about. To control it takes the permission that starting it took. */
export const inJob = root.scope({
  name: 'Job',
  path: '/jobs/:jobId',
  params: { jobId: Id },
  load: async ({ actor, params }) => {
    const job = await jobCollection().findOne({ _id: params.jobId });
    const granted = job && (await permissionsOnSubject(actor, job));
    if (!job || !granted) throw notFound('job', params.jobId);
    return { job, seesSubject: true, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ seesSubject, mayControl }) => qualified('job', { view: seesSubject, control: mayControl }),
});
