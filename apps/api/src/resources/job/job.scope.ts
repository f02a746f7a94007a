import { ApiError, Id, notFound } from '@bindery/contract';
import { jobCollection, Member, type JobRecord, type MemberRecord } from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { root } from '../../http/scope.ts';
import { openapiPermissions } from '../../permissions/openapi.ts';
import { qualified } from '../../permissions/role.ts';
import { spacePermissions } from '../../permissions/space.ts';
import { translationPermissions } from '../../permissions/translation.ts';
import { loadVisibleSpace } from '../space/space.scope.ts';

/** A job, for whoever may see what it is about. To control it takes the permission that starting it took. */
export const inJob = root.scope({
  name: 'Job',
  path: '/jobs/:jobId',
  params: { jobId: Id },
  load: async ({ actor, params }) => {
    const job = await jobCollection().findOne({ _id: params.jobId });
    const granted = job && (await permissionsOnSubject(actor, job));
    if (!job || !granted) throw notFound('job', params.jobId);
    return { job, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ mayControl }) => qualified('job', { view: true, control: mayControl }),
});

/** @returns undefined when the subject is not visible to the caller, or not there any more */
export async function permissionsOnSubject(actor: Actor, job: JobRecord): Promise<Record<string, boolean> | undefined> {
  if (job.isSubjectGone) return undefined;
  const { type, id } = job.subject;
  if (type === 'space') return permissionsInSpace(actor, id);
  if (job.space !== undefined) return permissionsInSpace(actor, job.space);
  // Everything else belongs to the organization as a whole.
  const member = await Member.findOne({ user: actor.user.id, organization: job.organization }).lean<MemberRecord>();
  if (!member) return undefined;
  return { ...qualified('openapi', openapiPermissions(member)), ...qualified('translation', translationPermissions(member)) };
}

async function permissionsInSpace(actor: Actor, spaceId: string): Promise<Record<string, boolean> | undefined> {
  try {
    const { role } = await loadVisibleSpace(actor, spaceId);
    return qualified('space', spacePermissions({ role }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined;
    throw error;
  }
}
