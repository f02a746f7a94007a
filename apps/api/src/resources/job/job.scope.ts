import { ApiError, Id, notFound } from '@bindery/contract';
import { jobCollection } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { qualified } from '../../permissions/role.ts';
import { spacePermissions } from '../../permissions/space.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';

/** A job, for whoever may see what it is about. To control it takes the permission that starting it took. */
export const inJob = root.scope({
  name: 'Job',
  path: '/jobs/:jobId',
  params: { jobId: Id },
  load: async ({ actor, params }) => {
    const job = await jobCollection().findOne({ _id: params.jobId });
    if (!job) throw notFound('job', params.jobId);
    const granted = await permissionsOnSubject(actor, job.subject, params.jobId);
    return { job, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ mayControl }) => qualified('job', { view: true, control: mayControl }),
});

/** @throws not_found as if the job did not exist, when its subject is not visible */
async function permissionsOnSubject(actor: Actor, subject: { type: string; id: string }, jobId: string): Promise<Record<string, boolean>> {
  if (subject.type !== 'space') throw notFound('job', jobId);
  try {
    const { role } = await loadVisibleSpace(actor, subject.id);
    return qualified('space', spacePermissions({ role }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw notFound('job', jobId);
    throw error;
  }
}
