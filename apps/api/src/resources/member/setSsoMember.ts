import {
  askUsers,
  changeTree,
  Member,
  type DomainRule,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { mustAccept } from '../organization/emailDomains.ts';

/**
 * Makes a member (`target`) sign in through the provider of the organization, or asks for the member's
 * consent: the provider then decides who signs in as this user, though to this organization alone.
 */
export async function setSsoMember({
  domainRule,
  organization,
  member,
  target,
}: {
  domainRule: DomainRule;
  organization: OrganizationRecord;
  member: MemberRecord;
  target: MemberRecord;
}): Promise<MemberRecord> {
  if (target.sso) return target;
  const { user, email, role } = target;
  return changeTree(organization._id, async (session) => {
    if (user === member.user || !mustAccept(email, { organization, domainRule }))
      return changeRecord<MemberRecord>(Member, target, { sso: true }, { session });
    const about = { organization: organization._id, user, email };
    await askUsers([{ ...about, joins: false, role, sso: true, askedBy: member.user }], session);
    return target;
  });
}
