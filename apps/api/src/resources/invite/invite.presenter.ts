import type { Invite, ListedInvite } from '@bindery/contract';
import type { InviteRecord, MemberRecord, OrganizationRecord } from '@bindery/models';
import { roleInContent } from '../../permissions/access.ts';
import { gives } from '../../permissions/invite.ts';
import { presentCollection } from '../../presenters/collection.presenter.ts';
import type { Links } from '../../presenters/links.ts';
import { presentSpace } from '../../presenters/space.presenter.ts';
import type { InviteTarget } from './inviteTarget.ts';

type Seen = {
  links: Links;
  organization: OrganizationRecord;
  /** The caller. */
  member: MemberRecord;
  /** The URL of the space on a published site. */
  publishedUrl?: string | undefined;
};

/** A link to the organization. */
export function presentInvite(
  invite: InviteRecord,
  { member }: Pick<Seen, 'member'>,
): Extract<Invite, { role: unknown }> {
  return { object: 'invite', id: invite._id, role: invite.role, redundant: !gives(invite.role, member.role) };
}

/** A link to a space or a collection. */
export function presentContentInvite(
  invite: InviteRecord,
  target: InviteTarget,
  seen: Seen,
): Extract<Invite, { level: unknown }> {
  const role = roleInContent({ member: seen.member, access: target.record.access });
  const common = {
    object: 'invite' as const,
    id: invite._id,
    level: invite.role,
    redundant: !gives(invite.role, role),
  };
  return target.type === 'space'
    ? { ...common, space: presentSpace(target.record, { ...seen, role }) }
    : { ...common, collection: presentCollection(target.record, { ...seen, role }) };
}

/** Presents a link of a list; omits the space or collection if it was deleted. */
export function presentListedInvite(
  invite: InviteRecord,
  target: InviteTarget | undefined,
  seen: Seen,
): ListedInvite {
  if (!invite.target) return presentInvite(invite, seen);
  if (target) return { ...presentContentInvite(invite, target, seen), role: null };
  return { object: 'invite', id: invite._id, role: null, level: invite.role, redundant: true };
}
