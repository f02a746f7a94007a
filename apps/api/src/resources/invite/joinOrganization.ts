import { ApiError, notFound } from '@bindery/contract';
import {
  addMembers,
  changeTree,
  Member,
  Organization,
  type DomainRule,
  type OrganizationRecord,
} from '@bindery/models';
import type { Actor } from '../../http/actor.ts';
import { hasDomainOf } from '../organization/emailDomains.ts';

/**
 * Makes a user with an e-mail address in a domain of the organization a member with the default role. Does
 * not change existing members. Where single sign-on is required, it is for the new member too.
 *
 * @throws invalid_request when the address is in another domain, or in one that is not proven
 */
export async function joinOrganization(
  id: string,
  { domainRule, actor: { user } }: { domainRule: DomainRule; actor: Actor },
): Promise<void> {
  await changeTree(id, async (session) => {
    const organization = await Organization.findById(id).session(session).lean<OrganizationRecord>();
    if (!organization) throw notFound('organization', id);
    if (await Member.exists({ organization: id, user: user.id }).session(session)) return;
    if (!hasDomainOf(user.email, { organization, domainRule })) throw wrongDomain();
    const { defaultRole: role, sso } = organization;
    await addMembers(id, [{ user: user.id, role, sso }], session);
  });
}

function wrongDomain(): ApiError {
  return new ApiError(
    'invalid_request',
    'Users with your e-mail domain cannot join this organization without an invite.',
    {
      action: 'Ask one of its admins for an invite.',
    },
  );
}
