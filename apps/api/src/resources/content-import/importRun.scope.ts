import { Id, notFound } from '@bindery/contract';
import { contentImportJobs } from '@bindery/jobs';
import { findOutcomes, jobCollection } from '@bindery/models';
import { qualified } from '../../permissions/role.ts';
import { permissionsOnSubject } from '../job/permissionsOnSubjects.ts';
import { inImportingOrganization } from '../organization/organization.scope.ts';

/**
 * An import whose target space the caller may see. Cancelling it requires the permission that starting it
 * required.
 */
export const inImportRun = inImportingOrganization.scope({
  name: 'Import run',
  path: '/imports/:importRunId',
  params: { importRunId: Id },
  load: async ({ actor, organization, params }) => {
    const run = {
      _id: params.importRunId,
      organization: organization._id,
      kind: contentImportJobs.importContent.kind,
    };
    const job = (await jobCollection().findOne(run)) ?? (await findOutcomes(run))[0];
    const granted = job && (await permissionsOnSubject(actor, job));
    if (!job || !granted) throw notFound('import run', params.importRunId);
    return { job, seesSubject: true, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ seesSubject, mayControl }) => qualified('job', { view: seesSubject, control: mayControl }),
  version: 'none',
});
