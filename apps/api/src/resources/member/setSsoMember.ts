import { askUsers, changeTree, Member, type MemberRecord, type OrganizationRecord } from '@bindery/models';
import { changeRecord } from '../../records/changeRecord.ts';
import { mustAccept, type DomainRule } from '../organization/emailDomains.ts';

/**
 * Has a member (`target`) sign in through the provider of the organization, or asks them whether they accept
 * that: a provider that may sign in as somebody reaches everything that they reach, in other organizations
 * too.
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
    const about = { organization: organization._id, user, ...(email !== undefined && { email }) };
    await askUsers([{ ...about, joins: false, role, sso: true, askedBy: member.user }], session);
    return target;
  });
}
