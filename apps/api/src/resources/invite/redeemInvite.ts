import { ApiError, notFound } from '@bindery/contract';
import {
  addMembers,
  changeTree,
  Grant,
  holdTree,
  Invite,
  Member,
  Organization,
  refreshAccess,
  type ClientSession,
  type DomainRule,
  type InviteRecord,
  type MemberRecord,
  type OrganizationRecord,
} from '@bindery/models';
import { newId } from '@bindery/runtime';
import type { Actor } from '../../http/actor.ts';
import { roleInContent } from '../../permissions/access.ts';
import { gives } from '../../permissions/invite.ts';
import { hasDomainOf } from '../organization/emailDomains.ts';
import { findInviteTarget, type InviteTarget } from './inviteTarget.ts';

/**
 * Redeems a link: gives the user a role in the organization, or access to a space or a collection, for which
 * a user who is not a member becomes a guest. Never reduces existing access. Where single sign-on is
 * required, it is for a new member with an address in a domain of the organization.
 *
 * @throws not_found when the link or its target is gone, or its creator is no longer an admin;
 *   precondition_failed when the organization has disabled links
 */
export async function redeemInvite(
  { _id, organization }: Pick<InviteRecord, '_id' | 'organization'>,
  { domainRule, actor: { user } }: { domainRule: DomainRule; actor: Actor },
): Promise<void> {
  await changeTree(organization, async (session) => {
    // The write makes this conflict with a concurrent revocation: the link is used before it, or not at all.
    const invite = await Invite.findOneAndUpdate(
      { _id, organization },
      { $inc: { uses: 1 } },
      { session },
    ).lean<InviteRecord>();
    if (!invite || !(await isMakerAdmin(invite, session))) throw notFound('invite', _id);
    const record = await loadWithLinks(organization, session);
    const target = await findInviteTarget(invite, session);
    if (invite.target && !target) throw notFound('invite', _id);
    const sso = record.sso && hasDomainOf(user.email, { organization: record, domainRule });
    const member = await findOrAddMember(invite, { user: user.id, sso }, session);
    if (target) await grantAccess(invite, { target, member }, session);
    else await raiseRole(invite, member, session);
  });
}

/**
 * Whether the creator of a link is still an admin of the organization. A link gives access only while this is
 * so.
 */
async function isMakerAdmin(
  { organization, createdBy }: InviteRecord,
  session: ClientSession,
): Promise<boolean> {
  return (await Member.exists({ organization, user: createdBy, role: 'admin' }).session(session)) !== null;
}

async function loadWithLinks(id: string, session: ClientSession): Promise<OrganizationRecord> {
  const found = await Organization.findById(id).session(session).lean<OrganizationRecord>();
  if (!found) throw notFound('organization', id);
  if (found.inviteLinks !== false) return found;
  throw new ApiError('precondition_failed', 'The organization has disabled its invite links.', {
    action: 'Ask one of its admins for an invite by e-mail.',
  });
}

async function findOrAddMember(
  { organization, role, target }: InviteRecord,
  { user, sso }: Pick<MemberRecord, 'user' | 'sso'>,
  session: ClientSession,
): Promise<MemberRecord> {
  const [added] = await addMembers(organization, [{ user, role: target ? null : role, sso }], session);
  const member =
    added ?? (await Member.findOne({ organization, user }).session(session).lean<MemberRecord>());
  if (!member) throw notFound('user', user);
  return member;
}

async function raiseRole(
  { role }: InviteRecord,
  member: MemberRecord,
  session: ClientSession,
): Promise<void> {
  if (gives(role, member.role))
    await Member.updateOne({ _id: member._id }, { $set: { role }, $inc: { version: 1 } }, { session });
}

/**
 * A grant takes precedence over the level of a space, so a grant below the member's present role would reduce
 * it.
 */
async function grantAccess(
  { organization, role }: InviteRecord,
  { target: { type, record }, member }: { target: InviteTarget; member: MemberRecord },
  session: ClientSession,
): Promise<void> {
  if (!gives(role, roleInContent({ member, access: record.access }))) return;
  await holdTree([record._id], session);
  await Grant.updateOne(
    { target: record._id, principal: member.user },
    {
      $set: { role },
      $setOnInsert: {
        _id: newId(),
        organization,
        targetType: type,
        principalType: 'user',
        createdAt: new Date(),
      },
    },
    { session, upsert: true },
  );
  await refreshAccess([record._id], session);
}
