import { Space } from '@bindery/models';
import { hasRole } from '../../permissions/role.ts';
import { withRoleOf } from '../../permissions/access.ts';
import type { ActingMember } from '../../permissions/tokenLimits.ts';
import { inOrganization } from '../organization/organization.scope.ts';

/** Repositories that an organization may import. */
export const inGitRemotes = inOrganization.scope({
  name: 'Git remotes',
  path: '/git',
  params: {},
  load: async ({ member }) => ({ mayImport: await mayImportGit(member) }),
  permissions: ({ mayImport }) => ({ 'git.import': mayImport }),
  version: 'none',
});

/** Whether a member may start an import in some space of its organization, or in one that it may create. */
async function mayImportGit(member: ActingMember): Promise<boolean> {
  if (hasRole(member.role, 'create')) return true;
  const { organization } = member;
  const found = await Space.exists({ organization, isDeleted: false, ...withRoleOf(member, 'create') });
  return found !== null;
}
