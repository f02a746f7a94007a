import { Id, notFound } from '@bindery/contract';
import { jobCollection } from '@bindery/models';
import { root } from '../../http/scope.ts';
import { organizationPermissions } from '../../permissions/organization.ts';
import { qualified } from '../../permissions/role.ts';
import { permissionsOnSubject } from '../job/job.scope.ts';
import { findMembership } from '../organization/organization.scope.ts';

/** An organization under the one path that clients look for import runs at. */
export const inImportingOrganization = root.scope({
  name: 'Organization',
  path: '/org/:organizationId',
  params: { organizationId: Id },
  load: async ({ actor, params }) => {
    const found = await findMembership(actor, params.organizationId);
    if (!found) throw notFound('organization', params.organizationId);
    return found;
  },
  permissions: ({ member }) => qualified('organization', organizationPermissions(member)),
});

/** An import, for whoever may see the space that it goes into; to cancel it takes what starting it took. */
export const inImportRun = inImportingOrganization.scope({
  name: 'Import run',
  path: '/imports/:importRunId',
  params: { importRunId: Id },
  load: async ({ actor, organization, params }) => {
    const job = await jobCollection().findOne({ _id: params.importRunId, organization: organization._id, kind: 'content-import' });
    const granted = job && (await permissionsOnSubject(actor, job));
    if (!job || !granted) throw notFound('import run', params.importRunId);
    return { job, mayControl: granted[job.permission] ?? false };
  },
  permissions: ({ mayControl }) => qualified('job', { view: true, control: mayControl }),
});
