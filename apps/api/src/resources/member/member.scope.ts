import { Id, notFound } from '@bindery/contract';
import { Member, type MemberRecord } from '@bindery/models';
import { memberPermissions } from '../../permissions/member.ts';
import { qualified } from '../../permissions/role.ts';
import { inOrganization } from '../organization/organization.scope.ts';
import { versionOf } from '../../records/versionOf.ts';

/**
 * A member of an organization, visible to all its members. `member` is the caller, `target` the member that
 * the URL names.
 */
export const inMember = inOrganization.scope({
  name: 'Member',
  path: '/members/:userId',
  params: { userId: Id },
  load: async ({ organization, params }) => {
    const target = await Member.findOne({
      user: params.userId,
      organization: organization._id,
    }).lean<MemberRecord>();
    if (!target) throw notFound('member', params.userId);
    return { target };
  },
  permissions: ({ member, target }) => qualified('member', memberPermissions({ member, target })),
  version: ({ target }) => versionOf(Member, { _id: target._id }),
});
